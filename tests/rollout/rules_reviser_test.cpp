// The rules reviser meets what the calls ask for, and nothing else on purpose.
#include "rollout/rules_reviser.h"

#include <gtest/gtest.h>

#include <map>

#include "data/constraints/values.h"
#include "rollout/rules/free_revision.h"
#include "rollout/rules/rules_teacher.h"
#include "tests/rollout/rules/rules_fixture.h"
#include "tools/craft/check.h"

namespace craft {
namespace {

const std::string kText =
    "The mill by the river was built in 1841. It was closed in 1970, due to the fact that the river silted up. "
    "Agnes bought it. She wanted a very quiet home, and she has restored every room. "
    "Now the mill grinds flour again, which surprises people who thought that the wheel was broken.";

std::string revise(const std::string& calls, const std::string& plan = "", const std::string& text = kText,
                   const std::string& original = kText, uint64_t item = 1) {
    RulesReviser reviser(shipped_rules());
    const ParsedResponse response(response_text(calls, plan));
    return reviser.revise({{text, original, &response, item}}).at(0).text;
}

void expect_met(const std::string& calls, const std::string& revision) {
    const MeasuredText original(kText), revised(revision);
    for (const auto& parsed : parse_calls(calls).calls) {
        ASSERT_TRUE(parsed.call.has_value()) << parsed.text;
        EXPECT_TRUE(check(*parsed.call, original, revised).met) << parsed.text << "\n" << revision;
    }
}

TEST(RulesReviser, NothingIsNoRevision) {
    RulesReviser reviser(shipped_rules());
    const std::string text = "Road 0 is very long. It was very late.";
    const ParsedResponse response(response_text("word_count_check(3, \"less than\")", ""));
    const Revised revised = reviser.revise({{text, text, &response, 1}}).at(0);
    EXPECT_EQ(revised.unusable, "empty");
    EXPECT_EQ(revised.text, text);
}

TEST(RulesReviser, MeetsEachKindOfCall) {
    for (const char* calls : {
             "word_count_check(60, \"less than\")",
             "word_count_check(90, \"more than\")",
             "sentence_count_check(4, \"less than\")",
             "sentence_count_check(7, \"more than\")",
             "sentence_count_check(6, \"equal\")",
             "sentence_length_check(12, \"less than\")",
             "sentence_length_check(6, \"more than\")",
             "keyword_keep_removal_check(\"Agnes\", \"remove\")",
             "keyword_keep_removal_check(\"river\", \"remove\")",
             "keyword_keep_removal_check(\"the\", \"keep\")",
             "keyword_frequency_check(\"mill\", 3, \"more than\")",
             "keyword_frequency_check(\"mill\", 1, \"equal\")",
             "keyword_frequency_check(\"flour\", 2, \"equal\")",
             "sentence_modification_check([3], \"change\")",
             "sentence_modification_check([1, 2, 4], \"change\")",
             "word_count_check(66, \"less than\")\nword_count_check(60, \"more than\")\nsentence_modification_check([2, 4], "
             "\"unchange\")",
             "sentence_count_check(7, \"equal\")\nsentence_length_check(13, \"less "
             "than\")\nkeyword_keep_removal_check(\"wheel\", \"remove\")",
         })
        expect_met(calls, revise(calls));
}

TEST(RulesReviser, WithoutCallsOrPlanNothingChanges) {
    EXPECT_EQ(revise("text_eval()"), kText);
    EXPECT_EQ(revise("not a call at all"), kText);
}

TEST(RulesReviser, SeesOnlyTheResponse) {
    // Wrong number, wrong keyword: the condition that was meant stays unmet.
    const std::string revision =
        revise("word_count_check(200, \"less than\")\nkeyword_keep_removal_check(\"lake\", \"remove\")");
    const MeasuredText original(kText), revised(revision);
    EXPECT_FALSE(check(WordCountCheck{60, Relation::less_than}, original, revised).met);
    EXPECT_FALSE(check(KeywordKeepRemovalCheck{"river", false}, original, revised).met);
}

TEST(RulesReviser, CarriesOutPlanLinesAndLeavesTheRest) {
    const std::string revision = revise("text_eval()",
                                        "Sentence: \"It was closed...\"; Improvement Plan: \"tighten the wording\"\n"
                                        "Sentence: \"She wanted a very...\"; Improvement Plan: \"split in two\"\n");
    EXPECT_NE(revision.find("because the river silted up."), std::string::npos) << revision;
    EXPECT_NE(revision.find("She wanted a very quiet home. She has restored every room."), std::string::npos) << revision;
    EXPECT_NE(revision.find("The mill by the river was built in 1841."), std::string::npos) << revision;
    const std::string joined = revise(
        "text_eval()",
        "Sentence: \"The mill by the river was built in 1841.\"; Improvement Plan: \"join with the next sentence\"\n");
    EXPECT_NE(joined.find("1841, and it was closed in 1970"), std::string::npos) << joined;
    const std::string replaced =
        revise("text_eval()", "Sentence: \"Agnes bought it.\"; Improvement Plan: \"replace 'bought'\"\n");
    EXPECT_NE(replaced.find("Agnes purchased it."), std::string::npos) << replaced;
}

// "Leave out the pronoun" made "this knows each of them" of "she knows each of them" once.
TEST(RulesReviser, RefusesAPlanThatItDoesNotUnderstand) {
    RulesReviser reviser(shipped_rules());
    const std::string known = "Sentence: \"It was closed...\"; Improvement Plan: \"tighten the wording\"\n";
    const ParsedResponse response(response_text(
        "word_count_check(40, \"less than\")",
        known + "Sentence: \"Agnes bought it.\"; Improvement Plan: \"leave out the pronoun that repeats the subject\"\n"));
    const Revised revised = reviser.revise({{kText, kText, &response, 1}}).at(0);
    EXPECT_EQ(revised.unusable, "unread_plan");
    EXPECT_EQ(revised.text, kText) << "neither the other line nor the goal is pursued";
}

TEST(RulesReviser, CountsTheLinesForWhichItFindsNothing) {
    RulesReviser reviser(shipped_rules());
    const ParsedResponse response(response_text("text_eval()",
                                                "Sentence: \"It was closed...\"; Improvement Plan: \"tighten the wording\"\n"
                                                "Sentence: \"Agnes bought it.\"; Improvement Plan: \"split in two\"\n"
                                                "Sentence: \"Now the mill...\"; Improvement Plan: \"keep as it is\"\n"
                                                "Sentence: \"Nobody said this.\"; Improvement Plan: \"make it longer\"\n"));
    const Revised revised = reviser.revise({{kText, kText, &response, 1}}).at(0);
    EXPECT_TRUE(revised.is_usable());
    EXPECT_EQ(revised.noted, (Leniency{{"plan_line_left", 2}})) << "three words make no two sentences; one is not there";
}

TEST(RulesReviser, PlansYieldToGoals) {
    const std::string calls = "sentence_modification_check([2], \"unchange\")";
    EXPECT_EQ(revise(calls, "Sentence: \"It was closed...\"; Improvement Plan: \"tighten the wording\"\n"), kText);
    // With "only change", plan lines of other sentences are not carried out.
    const std::string changed = revise("sentence_modification_check([3], \"change\")",
                                       "Sentence: \"It was closed...\"; Improvement Plan: \"tighten the wording\"\n");
    EXPECT_EQ(changed_sentences(kText, changed), 1) << changed;
}

TEST(RulesReviser, RestoresSentencesThatWereToBeKept) {
    const std::string earlier =
        "The mill by the river was built in 1841. It was closed in 1970. This is because the river silted up. Agnes bought "
        "it.";
    const std::string calls = "sentence_modification_check([2, 4], \"unchange\")";
    expect_met(calls, revise(calls, "", earlier));
}

TEST(RulesReviser, TakesAnythingAndRepeatsItself) {
    const std::string calls = "word_count_check(60, \"less than\")";
    EXPECT_EQ(revise(calls), revise(calls));
    EXPECT_EQ(revise(calls, "", "", ""), "");
    EXPECT_EQ(revise("sentence_modification_check([9], \"unchange\")\nkeyword_frequency_check(\"\", 2, \"more than\")"),
              kText)
        << "no such sentence, no keyword";
    // What cannot be met is approached.
    const MeasuredText original(kText),
        longest(revise("word_count_check(100000, \"more than\")\nsentence_count_check(0, \"less than\")"));
    EXPECT_EQ(longest.sentences().size(), 1u);
    EXPECT_GT(longest.text().size(), 2 * kText.size());
    const std::string broken = "\xff\xfe x y z.";
    EXPECT_EQ(revise("sentence_length_check(2, \"less than\")", "", broken, broken), broken);
}

// Every shape, with values from free revisions of the shipped texts, as the generator of constraints draws them.
TEST(RulesReviser, MeetsConstraintsOfEveryShapeOnTheShippedTexts) {
    const auto rules = shipped_rules();
    const RulesTeacher teacher(rules, teacher_wordings());
    RulesReviser reviser(rules);
    std::map<std::string, std::pair<int, int>> met;
    for (size_t i = 0; i < 950; ++i) {
        const std::string& text = shipped_texts()[(7 * i) % shipped_texts().size()];
        const MeasuredText original(text);
        Rng rng(11, "adherence", i);
        const MeasuredText revision(free_revision(*rules, text, rng));
        ValueSource source{original, revision, Split::all, {}};
        Trajectory trajectory;
        trajectory.instruction.text = text;
        for (const Shape shape : {static_cast<Shape>(i % kShapes), static_cast<Shape>((i / kShapes + i + 5) % kShapes)}) {
            if (!trajectory.instruction.constraints.empty() &&
                sub_type(trajectory.instruction.constraints[0].shape) == sub_type(shape))
                continue;
            const auto constraint = draw_constraint(shape, source, rng);
            if (!constraint) continue;
            if (!constraint->keyword.empty()) source.keywords_in_use.push_back(constraint->keyword);
            trajectory.instruction.constraints.push_back(*constraint);
            trajectory.instruction.gold.push_back(constraint->calls());
        }
        const std::string response = print_response(teacher.respond(trajectory, i, 0));
        const ParsedResponse parsed(response);
        const MeasuredText revised(reviser.revise({{text, text, &parsed, i}}).at(0).text);
        for (const auto& constraint : trajectory.instruction.constraints) {
            bool all = true;
            for (const auto& call : constraint.calls()) all = all && check(call, original, revised).met;
            auto& [n, good] = met[shape_name(constraint.shape)];
            ++n;
            good += all ? 1 : 0;
        }
    }
    ASSERT_EQ(met.size(), static_cast<size_t>(kShapes));
    for (const auto& [shape, counts] : met) {
        EXPECT_GT(counts.first, 20) << shape;
        EXPECT_GE(counts.second, 0.95 * counts.first) << shape << " of " << counts.first;
    }
}

}  // namespace
}  // namespace craft
