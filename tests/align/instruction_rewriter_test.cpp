// Instructions in a model's words, with a scripted model.
#include "align/instruction_rewriter.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

// Gives one reply to everything, and keeps what it was asked last.
class OneReply : public System {
public:
    explicit OneReply(Reply reply) : reply_(std::move(reply)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink&) override {
        asked = requests.at(0);
        how = sampling;
        return std::vector<Reply>(requests.size(), reply_);
    }
    std::string name() const override { return "one reply"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }
    Request asked;
    SamplingOptions how;

private:
    Reply reply_;
};

Instruction short_one() {
    Instruction out;
    out.instruction = "Use less than 45 words:";
    out.constraints = {{Shape::words_less, {}, 45, 0, ""}};
    out.gold = {out.constraints[0].calls()};
    return out;
}

TEST(InstructionRewriter, AsksWithThePromptAndReadsTheAnswer) {
    OneReply system({.text = "Please stay below 45 words."});
    const RewrittenInstruction rewritten = InstructionRewriter(system, PromptFiles()).rewrite(short_one(), 7);
    EXPECT_EQ(rewritten.text, "Please stay below 45 words.");
    EXPECT_EQ(system.asked.item, 7u);
    EXPECT_EQ(system.how.stage, "rewrite");
    const auto prompt = system.asked.conversation.messages.at(0).at("content").get<std::string>();
    EXPECT_TRUE(prompt.ends_with("### Request:\nUse less than 45 words:")) << prompt;
}

TEST(InstructionRewriter, CountsWhyOthersWereNotTaken) {
    RewritingReport report;
    const auto add = [&](Reply reply) {
        OneReply system(std::move(reply));
        report.add(InstructionRewriter(system, PromptFiles()).rewrite(short_one(), 0));
    };
    add({.text = "Request:\nStay below 45 words."});
    add({.text = "Stay below 45 words."});
    add({.text = "Stay below 45", .status = Reply::Status::cut});
    add({.text = "Stay short."});
    add(Reply::failed(Failure::timed_out, "late"));
    EXPECT_EQ(to_json(report).dump(),
              R"({"taken":2,"refused":{"cut":1,"lost limit":1,"timed_out":1},"noted":{"prefaced":1}})");
}

}  // namespace
}  // namespace craft
