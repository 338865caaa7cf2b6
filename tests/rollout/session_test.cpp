// The ReAct loop with scripted planners: observations, stopping, histories, samples.
#include "rollout/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "core/error.h"
#include "judge/flowing_judge.h"
#include "rollout/feedback.h"
#include "rollout/rules_reviser.h"
#include "rollout/text_feedback.h"
#include "systems/flowing_systems.h"
#include "tests/rollout/rules/rules_fixture.h"

namespace craft {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kMillText =
    "The mill was built in 1841. It was closed, due to the fact that the river silted up. Agnes bought it.";

// Answers by the number of steps so far; the last answer repeats.
class Script : public System {
public:
    explicit Script(std::vector<std::string> answers) : answers_(std::move(answers)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions&, const ReplySink&) override {
        std::vector<Reply> replies;
        for (const auto& request : requests) {
            const size_t step = (request.conversation.messages.size() - 1) / 2;
            replies.push_back({.text = answers_[std::min(step, answers_.size() - 1)], .usage = {.new_tokens = 3}});
            seen.push_back(request);
        }
        batches.push_back(requests.size());
        return replies;
    }
    std::string name() const override { return "script"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }
    std::vector<size_t> batches;
    std::vector<Request> seen;

private:
    std::vector<std::string> answers_;
};

Instruction instruction(const std::string& id = "a") {
    Instruction out;
    out.id = id;
    out.instruction = "Use at most 3 sentences and avoid 'river':";
    out.text = kMillText;
    out.gold = {{SentenceCountCheck{4, Relation::less_than}}, {KeywordKeepRemovalCheck{"river", false}}};
    return out;
}

struct Parts {
    explicit Parts(std::vector<std::string> answers, SessionOptions options = {})
        : planner(std::move(answers)),
          responder(planner, {}),
          reviser(shipped_rules()),
          judge(RewardOptions{}, {}),
          session(responder, reviser, judge, PromptTemplate("{instruction}\n{text}"),
                  WordingTable::load(kShare / "prompts" / "feedback.json"), options) {}
    Script planner;
    SystemResponder responder;
    RulesReviser reviser;
    Judge judge;
    Session session;
};

const std::string kGood =
    response_text("text_eval()\nsentence_count_check(4, \"less than\")\nkeyword_keep_removal_check(\"river\", \"remove\")");
const std::string kHalf = response_text("text_eval()\nsentence_count_check(4, \"less than\")");

TEST(Session, StopsWhenAFurtherStepDoesNotImprove) {
    Parts parts({kHalf, kGood, kGood});
    const auto trajectories = parts.session.run({instruction()});
    ASSERT_EQ(trajectories.size(), 1u);
    ASSERT_EQ(trajectories[0].steps.size(), 2u);  // the third step adds nothing
    EXPECT_GT(trajectories[0].steps[1].scores.s_a, trajectories[0].steps[0].scores.s_a);
    EXPECT_EQ(parts.planner.seen.size(), 3u);
    EXPECT_EQ(parts.responder.generated_tokens(), 9);
    EXPECT_EQ(trajectories[0].steps[1].revision.find("river"), std::string::npos);
}

TEST(Session, AStepThatIsNoBetterIsNeverKept) {
    SessionOptions options;
    options.epsilon = 0;
    Parts parts({kGood}, options);
    EXPECT_EQ(parts.session.run({instruction()})[0].steps.size(), 1u);
}

TEST(Session, RunsInLockstepAndKeepsTheOrder) {
    Parts parts({kGood});
    const auto trajectories = parts.session.run({instruction("a"), instruction("b"), instruction("c")});
    EXPECT_EQ(parts.planner.batches, (std::vector<size_t>{3, 3}));
    ASSERT_EQ(trajectories.size(), 3u);
    EXPECT_EQ(trajectories[2].instruction.id, "c");
    EXPECT_NE(parts.planner.seen[0].item, parts.planner.seen[1].item);
    EXPECT_NE(parts.planner.seen[0].item, parts.planner.seen[3].item);  // another step, another stream
}

TEST(Session, AtMostFiveSteps) {
    SessionOptions options;
    options.epsilon = -1000;  // every step counts as better
    Parts parts({kHalf}, options);
    EXPECT_EQ(parts.session.run({instruction()})[0].steps.size(), 5u);
}

// Suggests another first sentence for every text.
class Corrector : public System {
public:
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions&, const ReplySink&) override {
        std::vector<Reply> replies;
        for (const auto& request : requests) {
            const auto prompt = request.conversation.messages.back().at("content").get<std::string>();
            const std::string text = prompt.substr(prompt.rfind("### Text:\n") + 10);
            const std::string first = text.substr(0, text.find('.') + 1);
            replies.push_back({.text = "Original: " + first + "; Suggestion: So " + first});
            asked.push_back(text);
        }
        return replies;
    }
    std::string name() const override { return "corrector"; }
    Json record(const Request&, const SamplingOptions&) const override { return {}; }
    std::vector<std::string> asked;
};

// CRAFT App. E.8, in training as in the search: every observation that a planner reads has them, and no other text is asked
// about.
TEST(Session, PlannersReadWhatAModelSuggests) {
    Corrector corrector;
    TextFeedbackOptions aspects;
    aspects.aspects = {"grammaticality"};
    const TextFeedbackGiver giver(corrector, PromptFiles(), aspects);
    SessionOptions options;
    options.text_feedback = &giver;
    options.epsilon = -1000;
    options.max_steps = 3;
    Parts parts({kHalf}, options);
    const auto histories = parts.session.roll_out({instruction("a"), instruction("b")}, {2, 0});
    ASSERT_EQ(histories[0].steps.size(), 2u);
    EXPECT_EQ(corrector.asked.size(), 2u) << "the step that is sampled after the history reads the second one";
    for (const Step& step : histories[0].steps) {
        EXPECT_THAT(step.feedback, HasSubstr("Grammar: \"The mill was built in 1841.\" should read"));
        EXPECT_THAT(step.observation, HasSubstr(step.feedback));
        EXPECT_EQ(step.counted.at("feedback: suggestions"), 1);
    }
    corrector.asked.clear();
    const Trajectory trajectory = parts.session.run({instruction()}).at(0);
    ASSERT_EQ(trajectory.steps.size(), 3u);
    EXPECT_EQ(corrector.asked.size(), 2u) << "nobody reads the last one";
    EXPECT_FALSE(trajectory.steps[2].counted.contains("feedback: suggestions"));
    // Samples have no observations.
    parts.session.sample(histories, 2);
    EXPECT_EQ(corrector.asked.size(), 2u);
}

TEST(Session, StepsCountWhatBecameOfTheirRevisions) {
    Parts parts({response_text("text_eval()", "Sentence: \"Agnes...\"; Improvement Plan: \"invent a reason\"")});
    const Trajectory refused = parts.session.run({instruction()}).at(0);
    EXPECT_EQ(refused.steps.at(0).unusable, "unread_plan");
    EXPECT_EQ(refused.steps[0].counted, (std::map<std::string, int64_t>{{"unusable: unread_plan", 1}}));
}

TEST(Session, RollsOutExactlySoFar) {
    Parts parts({kHalf});
    const auto histories = parts.session.roll_out({instruction("a"), instruction("b"), instruction("c")}, {0, 2, 1});
    EXPECT_EQ(histories[0].steps.size(), 0u);
    EXPECT_EQ(histories[1].steps.size(), 2u);
    EXPECT_EQ(histories[2].steps.size(), 1u);
    EXPECT_EQ(histories[0].prompt, "Use at most 3 sentences and avoid 'river':\n" + kMillText);
    EXPECT_EQ(histories[1].messages().size(), 5u);
    EXPECT_THROW(parts.session.roll_out({instruction()}, {}), Error);
}

// What was cut is no answer: it is carried out by nobody, judged as nothing, and nothing is asked after it.
TEST(Session, AResponseThatWasCutEndsTheSession) {
    class CutsTheSecond : public Script {
    public:
        using Script::Script;
        std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                       const ReplySink& sink) override {
            std::vector<Reply> replies = Script::answer_into(requests, sampling, sink);
            for (size_t i = 0; i < requests.size(); ++i)
                if (requests[i].conversation.messages.size() == 2 * cut_step - 1) replies[i].status = Reply::Status::cut;
            return replies;
        }
        size_t cut_step = 2;
    };
    Parts parts({});
    CutsTheSecond planner({kHalf, kGood});
    SystemResponder responder(planner, {}, {.attempts = 3});
    Session session(responder, parts.reviser, parts.judge, PromptTemplate("{instruction}\n{text}"),
                    WordingTable::load(kShare / "prompts" / "feedback.json"), {});
    EXPECT_EQ(session.run({instruction()})[0].steps.size(), 1u) << "the second step changes nothing";
    EXPECT_EQ(planner.seen.size(), 2u) << "and is not asked for again: the limit is final";
    EXPECT_EQ(session.roll_out({instruction(), instruction("b")}, {3, 1})[0].steps.size(), 1u) << "a shorter history";

    planner.cut_step = 1;
    planner.seen.clear();
    const Trajectory cut = session.run({instruction()})[0];
    ASSERT_EQ(cut.steps.size(), 1u);
    EXPECT_EQ(planner.seen.size(), 1u);
    EXPECT_FALSE(cut.steps[0].finished);
    EXPECT_EQ(cut.steps[0].unusable, "cut");
    EXPECT_EQ(cut.steps[0].response, kHalf) << "what came is kept";
    EXPECT_EQ(cut.steps[0].revision, kMillText);
    EXPECT_EQ(session.roll_out({instruction()}, {3})[0].steps.size(), 0u);
    EXPECT_EQ(session.sample({session.start(instruction())}, 2)[0][1].unusable, "cut");
}

TEST(Session, SamplesNextSteps) {
    Parts parts({kHalf, kGood});
    const auto histories = parts.session.roll_out({instruction("a"), instruction("b")}, {0, 1});
    const auto samples = parts.session.sample(histories, 3);
    ASSERT_EQ(samples.size(), 2u);
    ASSERT_EQ(samples[1].size(), 3u);
    EXPECT_EQ(samples[0][0].response, kHalf);
    EXPECT_EQ(samples[1][2].response, kGood);
    EXPECT_EQ(parts.planner.seen.back().sample, 2u);
    EXPECT_DOUBLE_EQ(*samples[1][0].scores.s_v, 1.0);
    EXPECT_DOUBLE_EQ(*samples[1][0].scores.s_c, 1.0);
    EXPECT_EQ(samples[1][0].observation, "");  // nobody reads it
}

TEST(Session, LaterStepsReviseTheRevision) {
    Parts parts({kGood});
    const auto histories = parts.session.roll_out({instruction()}, {2});
    const auto& steps = histories[0].steps;
    EXPECT_EQ(steps[0].revision, steps[1].revision);  // all is met: nothing left to do
    EXPECT_THAT(steps[0].observation, HasSubstr("###OBSERVATION:\n" + steps[0].revision));
}

TEST(Feedback, TellsValuesLabelsAndWhatIsNotMet) {
    const auto wordings = WordingTable::load(kShare / "prompts" / "feedback.json");
    const MeasuredText original(kMillText);
    const ParsedCalls calls = parse_calls(
        "text_eval()\nsentence_count_check(3, \"less than\")\nkeyword_frequency_check(\"river\", 1, \"equal\")\nfoo(1)");
    EXPECT_EQ(step_feedback(calls, original, original, 62.04, wordings, capital_names),
              "text_eval() -> 62.0\nsentence_count_check(3, \"less than\") -> 3, 1\n"
              "keyword_frequency_check(\"river\", 1, \"equal\") -> 1, 0\nfoo(1) -> unusable: " +
                  parse_calls("foo(1)").calls.at(0).problem +
                  "\nQuality: 62.0 of 100.\nNot met: sentence_count_check(3, \"less than\").");
    EXPECT_EQ(step_feedback(parse_calls("text_eval()"), original, original, std::nullopt, wordings, capital_names),
              "text_eval() -> not scored\nNo conditions were checked.");
}

TEST(Feedback, DetectKeywordTellsNames) {
    const auto wordings = WordingTable::load(kShare / "prompts" / "feedback.json");
    const MeasuredText original("We met Ann in Paris."), revision("Nobody was there.");
    const auto told = [&](const KeywordFinder& names) {
        return step_feedback(parse_calls("detect_keyword()"), original, revision, std::nullopt, wordings, names);
    };
    EXPECT_EQ(told(capital_names), "detect_keyword() -> Ann, Paris\nNo conditions were checked.");
    const auto many = [](const std::string&) { return std::vector<std::string>(kMaxKeywords + 3, "Bo"); };
    EXPECT_THAT(told(many), HasSubstr("Bo, Bo, and 3 more\n"));
}

TEST(Prompts, FillInAndVersions) {
    EXPECT_EQ(fill_in("{a} {b} {c}", {{"a", "{b}"}, {"b", "x"}}), "{b} x {c}");
    EXPECT_THROW(PromptTemplate("only {text}"), Error);
    EXPECT_THROW(PromptTemplate("only {instruction}"), Error);
    EXPECT_NE(PromptTemplate("{instruction}{text}").version(), PromptTemplate("{instruction} {text}").version());
    EXPECT_THAT(PromptTemplate::load(kShare / "prompts/planner.full.txt").render(instruction()),
                AllOf(HasSubstr("avoid 'river'"), HasSubstr(kMillText)));
    EXPECT_THAT(PromptTemplate::load(kShare / "prompts/planner.compact.txt").render(instruction()),
                AllOf(HasSubstr("avoid 'river'"),
                      HasSubstr("Text: [1] The mill was built in 1841. [2] It was closed, due to the fact that the river "
                                "silted up. [3] Agnes bought it.\n")));
}

TEST(Prompts, SentencesAreNumberedByTheRuleAndNothingBetweenThemIsLost) {
    Instruction asked;
    asked.instruction = "Go on.";
    asked.text = "  One {text}.\n\nTwo!  Three";
    // The paper's rule does not split at a newline; ICU's does.
    EXPECT_EQ(PromptTemplate("{numbered_text}|{instruction}").render(asked), "  [1] One {text}.\n\nTwo!  [2] Three|Go on.");
    EXPECT_EQ(PromptTemplate("{numbered_text}|{instruction}", SentenceRule::icu).render(asked),
              "  [1] One {text}.\n\n[2] Two!  [3] Three|Go on.");
    asked.text = "";
    EXPECT_EQ(PromptTemplate("{instruction}|{numbered_text}").render(asked), "Go on.|");
}

TEST(Prompts, AreRecognisedByWhatStandsBeforeTheFirstPlaceholder) {
    EXPECT_TRUE(PromptTemplate("Text: {numbered_text} {instruction}").begins("Text: [1] One."));
    EXPECT_FALSE(PromptTemplate("Text: {numbered_text} {instruction}").begins("Instruction: One."));
}

// A reviser from outside whose answer to another text than kMillText comes last of all.
class LateReviser : public Reviser {
public:
    LateReviser(Flow& flow, int64_t others) : flow_(flow), others_(others) {}
    std::vector<Revised> revise(const std::vector<RevisionRequest>& requests) override {
        const Flow::Waiting waiting(flow_);
        const bool is_late = requests.front().original != kMillText;
        std::unique_lock lock(mutex_);
        if (!is_late) {
            ++revised_;
            ready_.notify_all();
        } else if (!ready_.wait_for(lock, std::chrono::seconds(20), [&] { return revised_ >= others_; })) {
            ADD_FAILURE() << "the others wait for the slowest";
        }
        lock.unlock();
        return rules_.revise(requests);
    }
    std::string name() const override { return "late"; }

private:
    Flow& flow_;
    int64_t others_, revised_ = 0;
    RulesReviser rules_{shipped_rules()};
    std::mutex mutex_;
    std::condition_variable ready_;
};

TEST(Session, InAFlowTheSlowestAnswerStallsNoOther) {
    Flow flow;
    Parts alone({kHalf, kGood});
    ComputedSystem planner(flow, std::make_shared<Script>(std::vector<std::string>{kHalf, kGood}));
    SystemResponder responder(planner, {});
    // Two steps of two others, then two samples after each of them.
    LateReviser reviser(flow, 4);
    FlowingJudge judge(flow, Judge(RewardOptions{}, {}));
    Session session(responder, reviser, judge, PromptTemplate("{instruction}\n{text}"),
                    WordingTable::load(kShare / "prompts" / "feedback.json"), {.flow = &flow});
    std::vector<Instruction> instructions = {instruction("a"), instruction("b"), instruction("c")};
    instructions[0].text += " It rained.";
    const auto histories = session.roll_out(instructions, {2, 2, 2});
    const auto expected = alone.session.roll_out(instructions, {2, 2, 2});
    ASSERT_EQ(histories.size(), 3u);
    for (size_t i = 0; i < 3; ++i) EXPECT_EQ(to_json(histories[i]), to_json(expected[i]));
    const auto samples = session.sample(histories, 2), expected_samples = alone.session.sample(expected, 2);
    for (size_t i = 0; i < 3; ++i)
        for (size_t k = 0; k < 2; ++k) EXPECT_EQ(samples[i][k].revision, expected_samples[i][k].revision);
    EXPECT_EQ(responder.generated_tokens(), alone.responder.generated_tokens());
    EXPECT_EQ(session.run(instructions).at(2).steps.size(), 2u);
}

}  // namespace
}  // namespace craft
