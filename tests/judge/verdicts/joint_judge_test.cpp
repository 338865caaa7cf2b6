// All candidates marked in one answer, and what systems' marks come to.
#include "judge/verdicts/joint_judge.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "judge/verdicts/mean_marks.h"
#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::between;
using test::says;
using test::ScriptedJudge;
using Order = std::vector<size_t>;
using Marks = std::vector<std::optional<double>>;
using Reasons = std::map<std::string, std::string>;

CandidateGroup texts_of(const std::vector<std::string>& texts) {
    CandidateGroup made{"g 1", "The \"source\".\nTwo lines.", "", {}};
    for (size_t i = 0; i < texts.size(); ++i)
        made.candidates.push_back({std::string(1, static_cast<char>('a' + i)), texts[i]});
    return made;
}

// The question is the last line; the first figure of a text is its fluency, and all cohere alike.
Reply marked(const std::string& asked) {
    const Json question = Json::parse(asked.substr(asked.rfind("\n{") + 1));
    Json answer = {{"id", question.at("id")}};
    for (const auto& [name, text] : question.items())
        if (name.starts_with("output_"))
            answer[name] = {{"fluency", text.get<std::string>()[0] - '0'}, {"coherence", 4}, {"consistency", 5}};
    return says(answer.dump());
}

JointJudge joint(System& system, bool marks_all = false, int64_t attempts = 1) {
    return {system, "own", PromptFiles(), "fluency", ChoiceAsking{.attempts = attempts}, marks_all};
}

TEST(JointJudges, OneAnswerMarksAll) {
    ScriptedJudge system(marked);
    const Judgement said = joint(system).judge(texts_of({"3 x", "5 y", "1 z", "3 x"}), Order{2, 3, 1, 0}, 0);
    EXPECT_EQ(system.prompts.size(), 1u);
    EXPECT_EQ(said.verdicts.at("fluency"), (ListwiseVerdict{1, 2}));
    EXPECT_EQ(said.reasons, (Reasons{{"coherence", "tie"}, {"consistency", "tie"}}));
    EXPECT_EQ(said.marks.at("fluency"), (Marks{3, 5, 1, 3}));
    EXPECT_EQ(said.marks.at("consistency"), (Marks{5, 5, 5, 5}));
    EXPECT_EQ(said.scores, (Marks{2, 4, 0, 2}));
    EXPECT_EQ(said.attempts[0].shown, (Order{2, 3, 1, 0}));
    // Three texts in the order asked for; nothing says whose they are.
    const Json question = Json::parse(system.prompts[0].substr(system.prompts[0].rfind("\n{") + 1));
    EXPECT_EQ(question, Json::parse(R"({"id":"g 1","original_input":"The \"source\".\nTwo lines.","output_1":"1 z",
                                        "output_2":"3 x","output_3":"5 y"})"));
}

TEST(JointJudges, AnAnswerThatCannotBeReadIsAskedForAgain) {
    size_t asked = 0;
    ScriptedJudge system([&](const std::string& prompt) { return ++asked == 1 ? says("Both are fine.") : marked(prompt); });
    const Judgement said = joint(system, false, 3).judge(texts_of({"3 x", "5 y"}), Order{0, 1}, 0);
    ASSERT_EQ(said.attempts.size(), 2u);
    EXPECT_EQ(said.attempts[0].problem, "no object");
    EXPECT_EQ(said.verdicts.at("fluency"), (ListwiseVerdict{1, 0}));
    ScriptedJudge silent([](const std::string&) { return Reply::failed(Failure::timed_out, "late"); });
    const Judgement none = joint(silent, false, 3).judge(texts_of({"3 x", "5 y"}), Order{0, 1}, 0);
    EXPECT_EQ(none.attempts.size(), 1u);
    EXPECT_EQ(none.reasons.at("coherence"), "timed_out");
    EXPECT_TRUE(none.marks.empty());
    EXPECT_THROW(JointJudge(silent, "own", PromptFiles(), "beauty", {}), Error);
}

TEST(JointJudges, TextsOfWhichNoneIsBestAreMarkedWhereMarksAreWanted) {
    ScriptedJudge system(marked);
    EXPECT_TRUE(joint(system).judge(texts_of({"3 x"}), Order{0}, 0).marks.empty());
    EXPECT_TRUE(system.prompts.empty());
    const Judgement alone = joint(system, true).judge(texts_of({"3 x"}), Order{0}, 0);
    EXPECT_EQ(alone.marks.at("fluency"), Marks{3});
    EXPECT_EQ(alone.reasons.at("fluency"), "one candidate");
    const Judgement equal = joint(system, true).judge(texts_of({"4 x", "4 x"}), Order{0, 1}, 0);
    EXPECT_EQ(equal.marks.at("fluency"), (Marks{4, 4}));
    EXPECT_EQ(equal.reasons.at("fluency"), "equal");
}

// A judgement survives its row, marks included.
TEST(JointJudges, MarksStandInRows) {
    ScriptedJudge system(marked);
    const JudgedGroup group{"g 1", {"a", "b"}, {joint(system).judge(texts_of({"3 x", "5 y"}), Order{1, 0}, 0)}};
    std::vector<JudgedGroup> read;
    for (const Json& row : rows_of(group)) add_row(read, row, "row");
    EXPECT_EQ(read[0].judgements[0].marks, group.judgements[0].marks);
}

// Two judgements of a text are one mark of it: a's fluency is ((3 + 5) / 2 + 2) / 2.
TEST(MeanMarksOfSystems, AreMeansOfTexts) {
    Judgement first{.judge = "own"}, again{.judge = "own"}, other{.judge = "own"}, failed{.judge = "own"};
    first.marks["fluency"] = {3, 4};
    again.marks["fluency"] = {5, 4};
    other.marks["fluency"] = {2, std::nullopt};
    MeanMarks marks;
    marks.add({"1", {"a", "b"}, {first, again}});
    marks.add({"2", {"a", "b"}, {other}});
    marks.add({"3", {"a"}, {failed}});
    const Json made = marks.to_json();
    EXPECT_EQ(made.at("systems").at("a").at("corpus"), Json::parse(R"({"marked":2,"unmarked":1,"fluency":3.0})"));
    EXPECT_EQ(made.at("systems").at("b").at("corpus"), Json::parse(R"({"marked":1,"unmarked":1,"fluency":4.0})"));
    EXPECT_EQ(made.at("items")[0], Json::parse(R"({"id":"1","marks":{"a":{"fluency":4.0},"b":{"fluency":4.0}}})"));
    EXPECT_EQ(what_marks_say().at("grammaticality").at("better"), "lower");
}

}  // namespace
}  // namespace craft
