#include <gtest/gtest.h>

#include "data/trajectory.h"
#include "tests/data/random_trajectory.h"

namespace craft {

namespace {

const char* const kWellFormed =
    "###THOUGHT:\nThe text must shrink.\nTwo sentences stay.\n"
    "###ACTION:\n###TOOLS:\n```\ntext_eval()\nword_count_check(120, \"less than\")\n```\n"
    "###PLAN:\nSentence: \"It was \"late\".\nAnd cold.\"; Improvement Plan: \"Cut \"late\"; keep the rest.\"\n"
    "Sentence: \"Go...\"; Improvement Plan: \"Keep as it is.\"";

}  // namespace

TEST(PlannerResponse, WellFormedRoundTrip) {
    const PlannerResponse response = parse_response(kWellFormed);
    EXPECT_TRUE(response.well_formed);
    EXPECT_EQ(response.thought, "The text must shrink.\nTwo sentences stay.");
    EXPECT_EQ(response.tools, "text_eval()\nword_count_check(120, \"less than\")");
    EXPECT_EQ(response.calls().calls.size(), 2U);
    const std::vector<PlanLine> plan = {{"It was \"late\".\nAnd cold.", "Cut \"late\"; keep the rest."},
                                        {"Go...", "Keep as it is."}};
    EXPECT_EQ(response.plan, plan);
    EXPECT_EQ(print_response(response), kWellFormed);
}

TEST(PlannerResponse, EmptyPartsRoundTrip) {
    PlannerResponse empty;
    const std::string text = print_response(empty);
    EXPECT_EQ(text, "###THOUGHT:\n\n###ACTION:\n###TOOLS:\n```\n```\n###PLAN:");
    const PlannerResponse read = parse_response(text);
    EXPECT_TRUE(read.well_formed);
    EXPECT_EQ(read.thought + read.tools, "");
    EXPECT_TRUE(read.plan.empty());
}

TEST(PlannerResponse, FormOfThePaper) {
    const PlannerResponse response = parse_response(
        "###THOUGHT: Shorten it.\n###ACTION:\n   -###TOOLS: \n```python\nsentence_count_check(3, \"equal\")\n```\n"
        "   -###PLAN: \n- Sentence: \"One.\"; Improvement Plan: \"Join.\"\n\n2. Sentence 2: Two.; Improvement Plan: Drop "
        "it.\n"
        "###OBSERVATION: done\n###THOUGHT: and then\n###TOOLS:\ntext_eval()");
    EXPECT_FALSE(response.well_formed);
    EXPECT_EQ(response.thought, "Shorten it.");
    EXPECT_EQ(response.tools, "sentence_count_check(3, \"equal\")");
    const std::vector<PlanLine> plan = {{"One.", "Join."}, {"Two.", "Drop it."}};
    EXPECT_EQ(response.plan, plan);
}

TEST(PlannerResponse, OtherHeadingsAndLayouts) {
    const PlannerResponse response = parse_response(
        "Sure!\r\n1. **### Thought:** why\r\n## Action: ### Tools: ```text_eval()```\r\n### plan\r\n"
        "Sentence: \"A \"b\" c.\"\r\nImprovement plan: \"Mend.\".\r\nSentence: \"D.\"; Improvement Plan: \"Cut it of");
    EXPECT_EQ(response.thought, "why");
    EXPECT_EQ(response.calls().calls.size(), 1U);
    const std::vector<PlanLine> plan = {{"A \"b\" c.", "Mend."}, {"D.", "Cut it of"}};
    EXPECT_EQ(response.plan, plan);
}

TEST(PlannerResponse, CallsOutsideFencesAndInRepeatedSectionsCount) {
    const PlannerResponse response =
        parse_response("###TOOLS:\n```\ntext_eval()\n```\nsentence_count_check(3, \"equal\")\n###TOOLS:\ndetect_keyword()");
    EXPECT_EQ(response.calls().calls.size(), 3U);
}

TEST(PlannerResponse, CallsOnTheLineOfTheirFence) {
    const auto count = [](const std::string& tools) {
        size_t usable = 0;
        for (const ParsedCall& call : parse_response("###TOOLS: " + tools).calls().calls) usable += call.call ? 1 : 10;
        return usable;
    };
    const std::string words = "word_count_check(300, \"less than\")";
    EXPECT_EQ(count("```python " + words + "```"), 1U);
    EXPECT_EQ(count("```python text_eval()\n" + words + "\n```"), 2U);
    EXPECT_EQ(count("```text_eval()\n" + words + "```"), 2U);
    EXPECT_EQ(count("```python\ntext_eval()\n" + words + "```"), 2U);
    EXPECT_EQ(count("```\n```"), 0U);
}

TEST(PlannerResponse, ActionWithoutToolsHeading) {
    EXPECT_EQ(parse_response("###ACTION:\n```\ntext_eval()\n```\n###PLAN:\n").tools, "text_eval()");
}

TEST(PlannerResponse, RunningOnIsNotWellFormed) {
    const std::string text = std::string(kWellFormed) + "\n###OBSERVATION:\nIt says \"fine\"";
    const PlannerResponse response = parse_response(text);
    EXPECT_FALSE(response.well_formed);
    ASSERT_EQ(response.plan.size(), 2U);
    EXPECT_EQ(response.plan[1].plan, "Keep as it is.");
}

TEST(PlannerResponse, MissingSectionsAreEmpty) {
    for (const char* text : {"", "no headings at all", "###", "###TOOL", "####", "\n\n```", "Sentence: \"x\""}) {
        const PlannerResponse response = parse_response(text);
        EXPECT_EQ(response.thought + response.tools, "") << text;
        EXPECT_TRUE(response.plan.empty() && !response.well_formed) << text;
    }
}

TEST(PlannerResponse, EveryPrefixIsRead) {
    const std::string whole = kWellFormed;
    for (size_t size = 0; size < whole.size(); ++size) {
        const PlannerResponse response = parse_response(std::string_view(whole).substr(0, size));
        EXPECT_TRUE(!response.well_formed || print_response(response) == whole.substr(0, size)) << size;
        EXPECT_LE(response.plan.size(), 2U);
    }
}

TEST(PlannerResponse, RandomResponsesRoundTrip) {
    int well_formed = 0;
    for (uint64_t item = 0; item < 3000; ++item) {
        Rng rng(5, "responses", item);
        PlannerResponse response;
        response.thought = test::random_text(rng, 4);
        response.tools = test::random_text(rng, 4);
        for (int64_t i = rng.between(0, 3); i > 0; --i)
            response.plan.push_back({test::random_text(rng, 5), test::random_text(rng, 3)});
        const std::string text = print_response(response);
        const PlannerResponse read = parse_response(text);
        if (!read.well_formed) continue;
        ++well_formed;
        EXPECT_EQ(print_response(read), text);
    }
    EXPECT_GT(well_formed, 1500);  // the others hold headings or delimiters of the form itself
}

// The responses above once more, with what their reading let pass.
TEST(PlannerResponse, TellsWhichLeniencyItNeeded) {
    const auto of = [](const std::string& text) { return ParsedResponse(text).leniency(); };
    EXPECT_EQ(of(kWellFormed), Leniency{});
    EXPECT_EQ(of(print_response({})), Leniency{});
    EXPECT_EQ(of(std::string(kWellFormed) + "\n"), (Leniency{{"response_spacing", 1}}));
    EXPECT_EQ(
        of("###THOUGHT: Shorten it.\n###ACTION:\n   -###TOOLS: \n```python\nsentence_count_check(3, 'equal')\n```\n"
           "   -###PLAN: \n- Sentence: \"One.\"; Improvement Plan: \"Join.\"\n\n2. Sentence 2: Two.; Improvement Plan: "
           "Drop it.\n###OBSERVATION: done"),
        (Leniency{{"heading_form", 3},
                  {"fence_with_language", 1},
                  {"single_quotes", 1},
                  {"plan_line_form", 2},
                  {"ran_on_into_observation", 1}}));
    EXPECT_EQ(of("Sure!\n###THOUGHT:\nwhy\n###TOOLS:\ntext_eval()\n###TOOLS:\n###PLAN:\nFirst of all\n"
                 "Sentence: \"A.\"; Improvement Plan: \"Mend.\""),
              (Leniency{{"text_before_headings", 1},
                        {"heading_missing", 1},
                        {"heading_repeated", 1},
                        {"fence_missing", 1},
                        {"prose_in_the_plan", 1}}));
    const auto fence = [&](const std::string& tools) {
        return of("###THOUGHT:\n\n###ACTION:\n###TOOLS:\n" + tools + "\n###PLAN:");
    };
    EXPECT_EQ(fence("```\ntext_eval()"), (Leniency{{"fence_unterminated", 1}}));
    EXPECT_EQ(fence("```text_eval()\ndetect_keyword()```"),
              (Leniency{{"call_on_the_fence_line", 1}, {"text_around_call", 2}}));
    EXPECT_EQ(fence("```\ntext_eval()\n```\ndetect_keyword()"),
              (Leniency{{"text_behind_the_fence", 1}, {"fence_between_calls", 1}}));
    EXPECT_EQ(of("no headings at all"), (Leniency{{"heading_missing", 4}, {"text_before_headings", 1}}));
}

// As a model writes it that is asked for nothing else (CRAFT App. E.4).
TEST(PlannerResponse, APlanMayStandAlone) {
    const ParsedResponse exact(
        "Sentence: \"One.\"; Improvement Plan: \"Join.\"\nSentence: \"Two.\"; Improvement Plan: \"Cut.\"");
    ASSERT_EQ(exact.parts.plan.size(), 2u);
    EXPECT_EQ(exact.parts.plan[1].sentence, "Two.");
    EXPECT_EQ(exact.parts.plan[1].plan, "Cut.");
    EXPECT_TRUE(exact.calls.calls.empty());
    EXPECT_EQ(exact.leniency(), (Leniency{{"plan_without_headings", 1}}));
    const ParsedResponse loose("Here is the plan:\n\nSentence: One.; Improvement Plan: Join.");
    ASSERT_EQ(loose.parts.plan.size(), 1u);
    EXPECT_EQ(loose.parts.plan[0].plan, "Join.");
    EXPECT_EQ(loose.leniency(), (Leniency{{"plan_without_headings", 1}, {"plan_line_form", 1}, {"prose_in_the_plan", 1}}));
}

TEST(PlannerResponse, LongHostileTextIsLinear) {
    for (const std::string piece :
         {"###", "Sentence:", "- ", "\n", "```\n", "###TOOLS:", "\n###TOOLS:\n", "\nSentence: \""}) {
        std::string text;
        while (text.size() < 2000000) text += piece;
        EXPECT_FALSE(parse_response(text).well_formed) << piece;
        EXPECT_FALSE(parse_response(kWellFormed + text).well_formed) << piece;
    }
}

}  // namespace craft
