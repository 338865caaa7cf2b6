// Suggestions of a model in what planners read, with scripted models.
#include "rollout/text_feedback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/error.h"
#include "rollout/methods.h"
#include "rollout/rules_reviser.h"
#include "tests/rollout/rules/rules_fixture.h"

namespace craft {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using Counted = std::map<std::string, int64_t>;

const std::string kBridge = "The bridge was shut, due to the fact that it leaned. Nobody cross it now.";

// Says what a function says of a request's last message, and keeps what it was asked.
class Speaker : public System {
public:
    using Says = std::function<Reply(const std::string& last)>;
    explicit Speaker(Says says) : says_(std::move(says)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink&) override {
        std::vector<Reply> replies;
        for (const Request& request : requests) {
            const auto last = request.conversation.messages.back().at("content").get<std::string>();
            asked.push_back({last, request.item, request.sample});
            stages.push_back(sampling.stage);
            Reply reply = says_(last);
            reply.usage = {.prompt_tokens = 10, .new_tokens = 2, .usd = 0.5};
            replies.push_back(std::move(reply));
        }
        calls.push_back(requests.size());
        return replies;
    }
    std::string name() const override { return "speaker"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }
    struct Asked {
        std::string last;
        uint64_t item = 0, sample = 0;
    };
    std::vector<Asked> asked;
    std::vector<std::string> stages;
    std::vector<size_t> calls;

private:
    Says says_;
};

Reply said(const std::string& text) {
    return {.text = text};
}

// One suggestion of grammar and none of another kind.
Reply finds_cross(const std::string& prompt) {
    if (prompt.find("mistakes of grammar") == std::string::npos) return said("Nothing to say.");
    return said("Original: Nobody cross it now.; Suggestion: Nobody crosses it now.");
}

TextFeedbackOptions aspects(std::vector<std::string> names) {
    TextFeedbackOptions options;
    options.aspects = std::move(names);
    return options;
}

TEST(TextFeedback, AsksForEachAspectOfEachTextOnceInOneCall) {
    Speaker speaker(finds_cross);
    const TextFeedbackGiver giver(speaker, PromptFiles(), aspects({"fluency", "grammaticality"}));
    const auto told = giver.of({kBridge, "Other words.", kBridge});
    EXPECT_EQ(speaker.calls, std::vector<size_t>{4});  // two aspects of two texts
    EXPECT_THAT(speaker.asked[0].last, HasSubstr("do not read well"));
    EXPECT_THAT(speaker.asked[1].last, HasSubstr("mistakes of grammar"));
    EXPECT_THAT(speaker.asked[1].last, HasSubstr(kBridge));
    EXPECT_THAT(speaker.asked[3].last, HasSubstr("Other words."));
    // Streams differ by the text, and by the aspect within it.
    EXPECT_EQ(speaker.asked[0].item, speaker.asked[1].item);
    EXPECT_NE(speaker.asked[0].item, speaker.asked[2].item);
    EXPECT_NE(speaker.asked[0].sample, speaker.asked[1].sample);
    EXPECT_EQ(speaker.stages[0], "feedback");
    ASSERT_EQ(told.size(), 3u);
    EXPECT_EQ(told[0].lines, "Grammar: \"Nobody cross it now.\" should read \"Nobody crosses it now.\"");
    EXPECT_EQ(told[2].lines, told[0].lines);
    EXPECT_EQ(told[0].usage.size(), 2u);
    EXPECT_TRUE(told[2].usage.empty());
    EXPECT_EQ(told[0].counted, (Counted{{"feedback: other line", 1}, {"feedback: suggestions", 1}}));
    EXPECT_EQ(told[1].lines, "");
    EXPECT_EQ(told[1].counted, (Counted{{"feedback: other line", 1}, {"feedback: not in the text", 1}}));
}

TEST(TextFeedback, TellsAsManyAsItMayAndCountsTheRestAndFailures) {
    const std::string first = "Original: Nobody cross it now.; Suggestion: ";
    Speaker many([&](const std::string&) { return said(first + "One.\n" + first + "Two.\n" + first + "Three."); });
    TextFeedbackOptions two = aspects({"coherence"});
    two.max_suggestions = 2;
    const TextFeedback told = TextFeedbackGiver(many, PromptFiles(), two).of({kBridge}).at(0);
    EXPECT_EQ(told.lines,
              "Coherence: \"Nobody cross it now.\" would fit better as \"One.\"\n"
              "Coherence: \"Nobody cross it now.\" would fit better as \"Two.\"");
    EXPECT_EQ(told.counted, (Counted{{"feedback: suggestions", 2}, {"feedback: beyond the most", 1}}));
    Speaker fails([](const std::string&) { return Reply::failed(Failure::timed_out, "late"); });
    const TextFeedback none = TextFeedbackGiver(fails, PromptFiles(), two).of({kBridge}).at(0);
    EXPECT_EQ(none.lines, "");
    EXPECT_EQ(none.counted, (Counted{{"feedback: timed_out", 1}}));
}

TEST(TextFeedback, AnUnknownAspectIsRefusedByName) {
    Speaker speaker(finds_cross);
    try {
        TextFeedbackGiver(speaker, PromptFiles(), aspects({"beauty"}));
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("beauty"));
        EXPECT_THAT(error.what(), HasSubstr("grammaticality"));
    }
}

// A task whose planner asks for one check, on rules as the reviser.
struct Task {
    Task()
        : planner([](const std::string&) { return said(response_text("sentence_count_check(5, \"less than\")", kPlan)); }) {
        task.id = "bridge";
        task.instruction = "Write fewer than five sentences:";
        task.text = kBridge;
        options.method = Method::iter;
        options.rounds = 3;
    }
    MethodParts parts(const TextFeedbackGiver* giver) { return {&planner, &reviser, &judge, &prompt, &wordings, giver}; }
    static constexpr const char* kPlan =
        "Sentence: \"The bridge was shut, due to the fact that it leaned.\"; Improvement Plan: \"Shorten it.\"";
    Speaker planner;
    RulesReviser reviser{shipped_rules()};
    Judge judge{RewardOptions{}, {}};
    PromptTemplate prompt{"{instruction}\n{text}"};
    WordingTable wordings = WordingTable::load(kShare / "prompts" / "feedback.json");
    Instruction task;
    MethodOptions options;
};

const std::string kTold = "Grammar: \"Nobody cross it now.\" should read \"Nobody crosses it now.\"";

TEST(TextFeedback, RoundsAreToldOfAllButTheLastRevision) {
    Task all;
    Speaker speaker(finds_cross);
    const TextFeedbackGiver giver(speaker, PromptFiles(), aspects({"grammaticality"}));
    const RevisionResult result = revise_text(all.task, all.parts(&giver), all.options);
    EXPECT_EQ(speaker.asked.size(), 2u);  // after the first and the second of three rounds
    ASSERT_EQ(all.planner.asked.size(), 3u);
    EXPECT_THAT(all.planner.asked[0].last, Not(HasSubstr("Grammar:")));
    EXPECT_TRUE(all.planner.asked[1].last.starts_with("###OBSERVATION:\n"));
    EXPECT_THAT(all.planner.asked[1].last, HasSubstr("All checked conditions are met.\n" + kTold));
    EXPECT_EQ(result.cost.calls, 5);  // three plans, two texts looked through
    EXPECT_DOUBLE_EQ(result.cost.usd.value_or(0), 2.5);
    EXPECT_EQ(result.counted.at("feedback: suggestions"), 2);
    EXPECT_EQ(result.rounds[0].text_feedback, kTold);
    EXPECT_EQ(result.rounds[2].text_feedback, "");

    Task plain;
    EXPECT_EQ(revise_text(plain.task, plain.parts(nullptr), plain.options).cost.calls, 3);
    EXPECT_THAT(plain.planner.asked[1].last, Not(HasSubstr("Grammar:")));
}

TEST(TextFeedback, ASearchIsToldOfWhatItExpands) {
    Task all;
    Speaker speaker(finds_cross);
    const TextFeedbackGiver giver(speaker, PromptFiles(), aspects({"grammaticality"}));
    all.options.method = Method::search;
    all.options.search.children = 2;
    all.options.search.iterations = 2;
    const RevisionResult result = revise_text(all.task, all.parts(&giver), all.options);
    // The root's two candidates are the same revision and so one node, the leaf of the second iteration.
    EXPECT_EQ(speaker.asked.size(), 1u);
    ASSERT_EQ(all.planner.asked.size(), 5u);  // the conditions, then two samples twice
    EXPECT_THAT(all.planner.asked[2].last, Not(HasSubstr("Grammar:")));
    EXPECT_THAT(all.planner.asked[3].last, HasSubstr("All checked conditions are met.\n" + kTold));
    EXPECT_EQ(result.cost.calls, 6);
    EXPECT_EQ(result.tree["nodes"][1]["payload"]["text_feedback"], kTold);
    EXPECT_EQ(result.rounds[0].text_feedback, kTold);
}

}  // namespace
}  // namespace craft
