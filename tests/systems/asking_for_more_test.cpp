// Answers that were cut under the default limit: who is asked again, with what, and what it costs.
#include "systems/asking_for_more.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace craft {
namespace {

using testing::ElementsAre;

// Says as many letters as it was asked for and has room for; of each letter a token.
class Writer : public System {
public:
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override {
        std::vector<Reply> replies;
        for (const Request& request : requests) {
            const auto wanted = static_cast<int64_t>(request.item);
            asked.push_back({wanted, sampling.limit()});
            Reply reply;
            if (prompt_tokens + sampling.limit() > window) {
                reply = Reply::failed(Failure::prompt_too_long, "maximum context length");
            } else {
                reply.status = wanted > sampling.limit() ? Reply::Status::cut : Reply::Status::finished;
                reply.text = std::to_string(std::min(wanted, sampling.limit()));
                reply.usage = {.prompt_tokens = prompt_tokens,
                               .new_tokens = std::min(wanted, sampling.limit()),
                               .seconds = 1,
                               .usd = .25};
            }
            replies.push_back(reply);
        }
        report_all(replies, sink);
        return replies;
    }
    std::string name() const override { return "writer"; }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        Json record = Json::object();
        add_request(record, request, sampling);
        if (!sends_limit) record.erase("max_new_tokens");
        return record;
    }
    int64_t window = 1 << 20, prompt_tokens = 10;
    bool sends_limit = true;
    std::vector<std::pair<int64_t, int64_t>> asked;  // wanted, limit
};

std::vector<Reply> answers(Writer& writer, const std::vector<int64_t>& wanted, const SamplingOptions& sampling,
                           std::map<size_t, Reply>* told = nullptr) {
    std::vector<Request> requests;
    for (const int64_t tokens : wanted) requests.push_back({{{Role::user, "write"}}, static_cast<uint64_t>(tokens), 0});
    AskingForMore system(writer);
    return system.answer_into(requests, sampling, [&](const std::vector<size_t>& which, const std::vector<Reply>& replies) {
        for (size_t i = 0; told != nullptr && i < which.size(); ++i) {
            EXPECT_FALSE(told->contains(which[i])) << "each is told once";
            (*told)[which[i]] = replies[i];
        }
    });
}

TEST(AskingForMore, WhatWasCutIsAskedForOnceMoreWithTwiceTheRoom) {
    Writer writer;
    std::map<size_t, Reply> told;
    const std::vector<Reply> replies = answers(writer, {5, 5000, 9000}, {}, &told);
    EXPECT_THAT(writer.asked, ElementsAre(std::pair(5, 4096), std::pair(5000, 4096), std::pair(9000, 4096),
                                          std::pair(5000, 8192), std::pair(9000, 8192)));
    EXPECT_EQ(replies[0].problem(), "");
    EXPECT_EQ(replies[1].problem(), "");
    EXPECT_EQ(replies[1].text, "5000");
    EXPECT_EQ(replies[2].problem(), "cut");
    EXPECT_EQ(replies[2].text, "8192");
    ASSERT_EQ(told.size(), 3u);
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(told[i].text, replies[i].text);
    // Both were paid for.
    EXPECT_EQ(replies[1].usage.new_tokens, 4096 + 5000);
    EXPECT_EQ(replies[1].usage.prompt_tokens, 20);
    EXPECT_EQ(replies[1].usage.retries, 1);
    EXPECT_EQ(replies[1].usage.usd, .5);
    EXPECT_EQ(replies[0].usage.retries, 0);
}

TEST(AskingForMore, AConfiguredLimitIsFinal) {
    Writer writer;
    for (const int64_t limit : {64, 4096}) {
        writer.asked.clear();
        const std::vector<Reply> replies = answers(writer, {5000}, {.max_new_tokens = limit});
        EXPECT_EQ(replies[0].problem(), "cut");
        EXPECT_THAT(writer.asked, ElementsAre(std::pair(int64_t{5000}, limit)));
    }
}

TEST(AskingForMore, WhereTheSecondRequestFailsTheFirstAnswerStays) {
    Writer writer;
    writer.window = 5000;
    const std::vector<Reply> replies = answers(writer, {4500}, {});
    EXPECT_EQ(writer.asked.size(), 2u);
    EXPECT_EQ(replies[0].problem(), "cut");
    EXPECT_EQ(replies[0].text, "4096");
}

TEST(AskingForMore, AWindowWithLessRoomIsAskedWithLess) {
    Writer writer;
    writer.window = 2048;
    EXPECT_EQ(answers(writer, {700}, {})[0].text, "700");
    EXPECT_EQ(answers(writer, {1500}, {})[0].problem(), "cut") << "which is not asked for with more again";
    EXPECT_EQ(writer.asked.size(), 4u);
    writer.prompt_tokens = 1500;  // a history that has to be shortened
    EXPECT_EQ(answers(writer, {700}, {})[0].failure, Failure::prompt_too_long);
}

TEST(AskingForMore, ARequestWithoutALimitIsNotMadeTwice) {
    Writer writer;
    writer.sends_limit = false;
    EXPECT_EQ(answers(writer, {5000}, {})[0].problem(), "cut");
    EXPECT_EQ(writer.asked.size(), 1u);
}

}  // namespace
}  // namespace craft
