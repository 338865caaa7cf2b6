// The cache around a system: what is asked, what is told, and what becomes of replies that cannot be kept.
#include "systems/recorded/recorded_system.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "core/rng.h"
#include "core/signals.h"
#include "tests/core/temporary_folder.h"
#include "tests/systems/recorded/scripted_system.h"

namespace craft {
namespace {

using test::ask;
using test::full_reply;
using test::said;
using test::ScriptedSystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

Reply echo(const Request& request) {
    return full_reply(test::question_of(request) + " #" + std::to_string(request.sample));
}

class RecordedSystemTest : public ::testing::Test {
protected:
    std::shared_ptr<AnswerCache> open() const { return std::make_shared<AnswerCache>(folder_.path() / "cache"); }
    const TemporaryFolder folder_;
};

TEST_F(RecordedSystemTest, ARerunGivesTheSameAndAsksForNothing) {
    const std::vector<Request> requests = {ask("a"), ask("a", 1), ask("b")};
    const auto first = std::make_shared<ScriptedSystem>(echo), second = std::make_shared<ScriptedSystem>(echo);
    RecordedSystem recorded(first, open());
    const auto replies = recorded.answer(requests, {});
    EXPECT_THAT(first->asked(), ElementsAre("a/0", "a/1", "b/0"));
    RecordedSystem again(second, open());
    const auto repeated = again.answer(requests, {});
    EXPECT_THAT(second->asked(), SizeIs(0));
    for (size_t i = 0; i < requests.size(); ++i) {
        EXPECT_EQ(said(repeated[i]), said(replies[i]));
        EXPECT_EQ(said(replies[i]), said(echo(requests[i])));
        EXPECT_FALSE(replies[i].recorded);
        EXPECT_TRUE(repeated[i].recorded);
    }
    EXPECT_EQ(
        again.counts().to_json().dump(),
        R"({"requests":3,"hits":3,"shared":0,"asked":0,"asked_again":0,"kept_elsewhere":0,"unconfirmed":0,"unnamed":0})");
    EXPECT_EQ(recorded.counts().asked, 3);
}

TEST_F(RecordedSystemTest, WhatMakesAnotherRequestIsAskedForItself) {
    const auto inner = std::make_shared<ScriptedSystem>(echo);
    RecordedSystem recorded(inner, open());
    SamplingOptions warm, longer, told;
    warm.temperature = .7;
    longer.max_new_tokens = 513;
    told.logprobs = true;
    for (const SamplingOptions& sampling : {SamplingOptions(), warm, longer, told}) recorded.answer({ask("a")}, sampling);
    EXPECT_THAT(inner->asked(), SizeIs(4));
}

TEST_F(RecordedSystemTest, TheSinkHearsEachReplyOnceAndCommittedOnesAlone) {
    const auto cache = open();
    RecordedSystem recorded(std::make_shared<ScriptedSystem>(echo), cache);
    recorded.answer({ask("b")}, {});
    std::vector<size_t> heard;
    recorded.answer_into({ask("a"), ask("b"), ask("a"), ask("c")}, {},
                         [&](const std::vector<size_t>& which, const std::vector<Reply>& replies) {
                             ASSERT_EQ(which.size(), replies.size());
                             heard.insert(heard.end(), which.begin(), which.end());
                             EXPECT_EQ(open()->counts().answers, which.front() == 1   ? 1
                                                                 : which.front() == 0 ? 2
                                                                                      : 3)
                                 << "what is told is in the file";
                         });
    EXPECT_THAT(heard, ElementsAre(1, 0, 2, 3));
    EXPECT_EQ(recorded.counts().shared, 1);
    EXPECT_EQ(recorded.counts().hits, 1);
}

TEST_F(RecordedSystemTest, UnusableAnswersAreNeverKeptAndAskedAgainIsCounted) {
    int times = 0;
    const auto inner = std::make_shared<ScriptedSystem>(
        [&](const Request& request) { return ++times < 3 ? Reply::failed(Failure::no_content, "empty") : echo(request); });
    RecordedSystem recorded(inner, open());
    EXPECT_EQ(recorded.answer({ask("a")}, {}).at(0).failure, Failure::no_content);
    EXPECT_EQ(recorded.counts().asked_again, 0);
    recorded.answer({ask("a")}, {});
    EXPECT_EQ(recorded.answer({ask("a")}, {}).at(0).text, "a #0");
    EXPECT_TRUE(recorded.answer({ask("a")}, {}).at(0).recorded);
    EXPECT_EQ(recorded.counts().asked_again, 2);
    const CacheCounts counts = open()->counts();
    EXPECT_EQ(counts.answers, 1);
    EXPECT_EQ(counts.asked_again, 1);
    EXPECT_EQ(counts.unusable, 2);
}

TEST_F(RecordedSystemTest, WhatWasNotAskedForIsNoUnusableAnswer) {
    for (const Failure failure : {Failure::over_budget, Failure::awaited, Failure::prompt_too_long}) {
        RecordedSystem recorded(std::make_shared<ScriptedSystem>([&](const Request&) { return Reply::failed(failure, ""); }),
                                open());
        recorded.answer({ask("a")}, {});
        recorded.answer({ask("a")}, {});
        EXPECT_EQ(recorded.counts().asked_again, 0) << failure_name(failure);
    }
    EXPECT_EQ(open()->counts().unusable, 0);
}

TEST_F(RecordedSystemTest, CutAnswersAreKeptAsCut) {
    RecordedSystem recorded(std::make_shared<ScriptedSystem>([](const Request& request) {
                                Reply reply = echo(request);
                                reply.status = Reply::Status::cut;
                                return reply;
                            }),
                            open());
    recorded.answer({ask("a")}, {.max_new_tokens = 3});
    const Reply again = recorded.answer({ask("a")}, {.max_new_tokens = 3}).at(0);
    EXPECT_TRUE(again.recorded);
    EXPECT_EQ(again.status, Reply::Status::cut);
}

// Cut without a text, or before the limit that was asked for: a server with a larger window would answer otherwise.
TEST_F(RecordedSystemTest, WhatTheServersWindowCutIsAskedForAgain) {
    for (const bool has_text : {false, true}) {
        const auto inner = std::make_shared<ScriptedSystem>([&](const Request& request) {
            Reply reply = echo(request);
            reply.status = Reply::Status::cut;
            if (!has_text) reply.text.clear();
            return reply;
        });
        RecordedSystem recorded(inner, open());
        const SamplingOptions sampling = {.max_new_tokens = has_text ? 4 : 3};  // it has three tokens
        for (int time = 0; time < 2; ++time) EXPECT_FALSE(recorded.answer({ask("a")}, sampling).at(0).recorded);
        EXPECT_THAT(inner->asked(), SizeIs(2)) << has_text;
        EXPECT_EQ(open()->counts().answers, 0);
    }
}

class ServingSystem : public ScriptedSystem {
public:
    explicit ServingSystem(std::string model) : ScriptedSystem(echo), model_(std::move(model)) {}
    Json serving() override { return {{"http://h:1/v1", model_.empty() ? Json() : Json({{"id", model_}})}}; }

private:
    std::string model_;
};

TEST_F(RecordedSystemTest, AnswersOfAnotherModelBehindTheSameRecordAreNotTaken) {
    const auto asked = [&](const std::string& model) {
        const auto inner = std::make_shared<ServingSystem>(model);
        RecordedSystem recorded(inner, open());
        recorded.answer({ask("a")}, {});
        return inner->asked().size();
    };
    EXPECT_EQ(asked("a"), 1u);
    EXPECT_EQ(asked("a"), 0u);
    EXPECT_EQ(asked("b"), 1u);
    EXPECT_EQ(asked("b"), 0u);
    EXPECT_EQ(asked("a"), 0u) << "both have theirs";
    testing::internal::CaptureStderr();
    EXPECT_EQ(asked(""), 0u) << "a server that is not there says nothing against it";
    EXPECT_THAT(testing::internal::GetCapturedStderr(),
                HasSubstr("scripted: the server does not say which model it serves"));
    EXPECT_EQ(open()->counts().answers, 2);
}

// Two models that were started one after the other, neither of which had a list of models when it was first asked.
TEST_F(RecordedSystemTest, AnswersOfAServerThatNamedNoModelAreNotANamedOnes) {
    const auto asked = [&](const std::string& model) {
        const auto inner = std::make_shared<ServingSystem>(model);
        RecordedSystem recorded(inner, open());
        testing::internal::CaptureStderr();
        recorded.answer({ask("a"), ask("a"), ask("b")}, {});
        const std::string said = testing::internal::GetCapturedStderr();
        const std::string line = "scripted: answers recorded while the server did not say which model it serves";
        EXPECT_EQ(said.find(line) != std::string::npos, recorded.counts().unnamed > 0) << said;
        EXPECT_EQ(said.find(line), said.rfind(line)) << "once";
        return std::to_string(inner->asked().size()) + " asked, " + std::to_string(recorded.counts().unnamed) +
               " unnamed, " + std::to_string(recorded.counts().unconfirmed) + " unconfirmed";
    };
    EXPECT_EQ(asked(""), "2 asked, 0 unnamed, 0 unconfirmed");
    EXPECT_EQ(asked(""), "0 asked, 0 unnamed, 0 unconfirmed") << "nothing is known then and now";
    EXPECT_EQ(asked("a"), "2 asked, 2 unnamed, 0 unconfirmed");
    EXPECT_EQ(asked("b"), "2 asked, 2 unnamed, 0 unconfirmed");
    EXPECT_EQ(asked("a"), "0 asked, 0 unnamed, 0 unconfirmed");
    EXPECT_EQ(asked(""), "0 asked, 0 unnamed, 0 unconfirmed") << "its own before those of named ones";
    EXPECT_EQ(open()->counts().answers, 6);
}

TEST_F(RecordedSystemTest, EqualRequestsOfManyThreadsAreAskedOnce) {
    constexpr int kThreads = 64, kQuestions = 20;
    std::atomic<int> asked = 0;
    RecordedSystem recorded(std::make_shared<ScriptedSystem>([&](const Request& request) {
                                ++asked;
                                std::this_thread::yield();
                                return echo(request);
                            }),
                            open());
    std::barrier start(kThreads);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t)
        threads.emplace_back([&, t] {
            std::vector<Request> requests;
            for (int q = 0; q < kQuestions; ++q) requests.push_back(ask(std::to_string((q + t) % kQuestions)));
            start.arrive_and_wait();
            const auto replies = recorded.answer(requests, {});
            for (int q = 0; q < kQuestions; ++q)
                if (said(replies[q]) != said(echo(requests[q]))) ++wrong;
        });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(asked, kQuestions);
    EXPECT_EQ(wrong, 0);
    const RecordedCounts counts = recorded.counts();
    EXPECT_EQ(counts.asked, kQuestions);
    EXPECT_EQ(counts.hits + counts.shared + counts.asked, kThreads * kQuestions);
}

TEST_F(RecordedSystemTest, WhereASystemThrowsWhatItToldIsKeptAndOthersAskThemselves) {
    int times = 0;
    const auto inner = std::make_shared<ScriptedSystem>([&](const Request& request) {
        if (++times == 2) throw Error("scripted: HTTP 401");
        return echo(request);
    });
    RecordedSystem recorded(inner, open());
    EXPECT_EQ(message_of([&] { recorded.answer({ask("a"), ask("b")}, {}); }), "scripted: HTTP 401");
    EXPECT_TRUE(recorded.answer({ask("a"), ask("b")}, {}).at(0).recorded);
    EXPECT_THAT(inner->asked(), ElementsAre("a/0", "b/0", "b/0"));
}

// No file grows beyond `bytes` while this lives: a full disk.
class NoRoom {
public:
    explicit NoRoom(rlim_t bytes) {
        install_signal_flags();  // else the first write beyond ends the test
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~NoRoom() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    NoRoom(const NoRoom&) = delete;
    NoRoom& operator=(const NoRoom&) = delete;

private:
    rlimit before_{};
};

std::string noise(size_t size) {
    Rng rng(1, "noise", size);
    std::string text;
    for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + rng.below(26));
    return text;
}

TEST_F(RecordedSystemTest, AFullDiskLosesNoAnswerAndNothingMoreIsAsked) {
    const auto inner = std::make_shared<ScriptedSystem>(
        [](const Request& request) { return full_reply(test::question_of(request) == "large" ? noise(400'000) : "small"); });
    RecordedSystem recorded(inner, open());
    recorded.answer({ask("before")}, {});
    {
        const NoRoom limit(200'000);
        testing::internal::CaptureStderr();
        const auto replies = recorded.answer({ask("large"), ask("after")}, {});
        EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("File too large; answers are passed on"));
        EXPECT_THAT(replies.at(0).text, SizeIs(400'000));
        EXPECT_EQ(replies.at(1).text, "small") << "handed on, though it was not tried to be kept";
        const auto asked = inner->asked().size();
        const std::string message = message_of([&] { recorded.answer({ask("more")}, {}); });
        EXPECT_THAT(message, HasSubstr("answers.sqlite: cannot read or write: File too large (2 answers were passed on"));
        EXPECT_EQ(message_of([&] { recorded.finish(); }), message);
        EXPECT_THAT(inner->asked(), SizeIs(asked));
    }
    recorded.finish();
    EXPECT_EQ(open()->counts().answers, 3) << "there is room again";
    EXPECT_TRUE(recorded.answer({ask("large")}, {}).at(0).recorded);
}

TEST_F(RecordedSystemTest, AnotherProcessThatWasFirstGivesTheAnswer) {
    const auto other = open();
    RecordedSystem recorded(
        std::make_shared<ScriptedSystem>([&](const Request& request) {
            RecordedSystem(std::make_shared<ScriptedSystem>([](const Request&) { return full_reply("theirs"); }), other)
                .answer({request}, {});
            Reply reply = full_reply("ours");
            reply.usage.usd = 7;
            return reply;
        }),
        open());
    const Reply reply = recorded.answer({ask("a")}, {}).at(0);
    EXPECT_EQ(reply.text, "theirs");
    EXPECT_EQ(reply.usage.usd, 7) << "ours was paid for, too";
    EXPECT_FALSE(reply.recorded);
    EXPECT_EQ(recorded.counts().kept_elsewhere, 1);
}

}  // namespace
}  // namespace craft
