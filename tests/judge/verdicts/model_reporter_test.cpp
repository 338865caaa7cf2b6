#include "judge/verdicts/model_reporter.h"

#include <gtest/gtest.h>

#include <atomic>

#include "core/error.h"
#include "judge/verdicts/parsed_verdicts.h"
#include "tests/judge/verdicts/injections.h"
#include "tests/judge/verdicts/scripted_judge.h"

namespace craft {
namespace {

using test::says;
using test::ScriptedJudge;

constexpr const char* kReported =
    "aspects: Words (alignment), Shape (parses)\n---\nJudge them.\n=== report Words\nsource: A b.\ncandidate: A c.\n\n"
    "Better.\n=== report Shape\nsource: D e.\ncandidate: D f.\n\nWorse.\n";

std::shared_ptr<const ReportPrompt> report_prompt(const char* guideline, const std::string& aspect,
                                                  const JudgingMaterials& materials = {}) {
    return std::make_shared<ReportPrompt>(parse_guideline(guideline, "guideline"), aspect, PromptFiles(), materials);
}

CandidateReport report_of(System& system, const std::string& candidate = "one", uint64_t round = 2) {
    const ModelReporter reporter(system, "own", report_prompt(kReported, "Words"), ChoiceAsking{.attempts = 3});
    return reporter.report("g", "The source.", candidate, round);
}

TEST(ReportPrompts, TaskThenReportsOfTheAspectThenTheText) {
    const Json messages = report_prompt(kReported, "Words")->question("The source.", "one").conversation.messages;
    ASSERT_EQ(messages.size(), 4u);
    const std::string told = messages[0]["content"], example = messages[1]["content"], asked = messages[3]["content"];
    EXPECT_TRUE(told.starts_with("Judge them.\n\nWhat follows")) << told;
    EXPECT_NE(told.find("the aspect Words:"), std::string::npos);
    EXPECT_NE(example.find("Source:\n> A b.\n\nVersion:\n> A c.\n"), std::string::npos);
    EXPECT_EQ(messages[2], Json({{"role", "assistant"}, {"content", "Better."}}));
    EXPECT_NE(asked.find("Source:\n> The source.\n\nVersion:\n> one\n\nWrite your report."), std::string::npos) << asked;
    const Json bare = report_prompt("---\nJudge it.\n", "")->question("s", "c").conversation.messages;
    ASSERT_EQ(bare.size(), 2u);
    EXPECT_EQ(bare[0]["content"].get<std::string>().find("{aspect}"), std::string::npos);
    EXPECT_THROW(report_prompt(kReported, "words"), Error);
    EXPECT_THROW(report_prompt(kReported, ""), Error);
}

// Words sees alignments and Shape parses.
TEST(ReportPrompts, MaterialsAreThoseOfTheAspect) {
    const JudgingMaterials materials = {
        .align =
            [](const std::vector<std::pair<std::string, std::string>>& pairs) {
                return std::vector<WordAlignment>(pairs.size(), {{"the", "source."}, {"x"}, {{1, 0}}});
            },
        .parse = [](const std::string& text) { return text == "one" ? "" : "(S " + text + ")"; }};
    const ListwiseQuestion words = report_prompt(kReported, "Words", materials)->question("The source.", "one");
    const std::string of_words = words.conversation.messages[3]["content"];
    EXPECT_NE(of_words.find("> one\nWords of the source:\n> 0_the 1_source.\nWords of the version:\n> 0_x\nPairs of "
                            "words:\n> 1_source.-0_x\n\nWrite"),
              std::string::npos)
        << of_words;
    const ListwiseQuestion shape = report_prompt(kReported, "Shape", materials)->question("The source.", "one");
    const std::string of_shape = shape.conversation.messages[3]["content"];
    EXPECT_NE(of_shape.find("> The source.\nParse:\n> (S The source.)\n\nVersion:\n> one\n\nWrite"), std::string::npos)
        << of_shape;
    EXPECT_EQ(shape.noted, (NotedInQuestion{{"without parse", 1}}));
}

TEST(ModelReporters, AReportIsTheAnswerWithoutItsThinking) {
    ScriptedJudge system([](const std::string&) { return says("<think>Hm.</think>\n\"b\" stays: moderate penalty.\n"); });
    const CandidateReport report = report_of(system);
    EXPECT_EQ(report.text, "\"b\" stays: moderate penalty.");
    EXPECT_EQ(report.problem, "");
    EXPECT_EQ(report.attempts, 1);
    EXPECT_EQ(system.keys[0].second, 2u);  // the round
    ScriptedJudge apart([](const std::string&) { return Reply{.text = "Good.", .reasoning = "Hm."}; });
    EXPECT_EQ(report_of(apart).thinking, "Hm.");
    ScriptedJudge cut([](const std::string&) { return Reply{.text = "Go", .status = Reply::Status::cut}; });
    EXPECT_EQ(report_of(cut).text, "");
    EXPECT_EQ(report_of(cut).problem, "cut");
    EXPECT_EQ(report_of(cut).attempts, 1) << "the limit is final";
}

TEST(ModelReporters, AnAnswerWithoutAReportIsAskedForAgain) {
    std::atomic<int> asked = 0;
    ScriptedJudge second([&](const std::string&) { return says(++asked == 2 ? "Good." : " \n"); });
    const CandidateReport report = report_of(second);
    EXPECT_EQ(report.text, "Good.");
    EXPECT_EQ(report.problem, "");
    EXPECT_EQ(report.attempts, 2);
    EXPECT_EQ(second.temperatures, (std::vector<double>{0, .7}));
    EXPECT_NE(second.keys[0].second, second.keys[1].second);
    const std::vector<std::pair<Reply, std::string>> none = {{says(""), "empty"},
                                                             {says("<think>Hm."), "thinking"},
                                                             {{.text = "", .reasoning = "Hm."}, "thinking"},
                                                             {says("\xff\xfe"), "not_utf8"}};
    for (const auto& [reply, problem] : none) {
        ScriptedJudge bad([&](const std::string&) { return reply; });
        const CandidateReport dropped = report_of(bad);
        EXPECT_EQ(dropped.text, "");
        EXPECT_EQ(dropped.problem, problem);
        EXPECT_EQ(dropped.attempts, 3);
    }
    ScriptedJudge failing([](const std::string&) { return Reply::failed(Failure::prompt_too_long, "30 kB"); });
    EXPECT_EQ(report_of(failing).problem, "prompt_too_long");
    EXPECT_EQ(failing.prompts.size(), 1u);
}

TEST(ModelReporters, WhatATextSaysToTheJudgeIsQuotedAndCounted) {
    for (const std::string& text : test::injections(1, 0, {"Words"})) {
        ScriptedJudge system([](const std::string&) { return says("Good."); });
        EXPECT_FALSE(report_of(system, text).noted.empty()) << text;
        for (const ParsedVerdict& verdict : parsed_verdicts(system.prompts.at(0))) EXPECT_TRUE(verdict.quoted) << text;
    }
}

}  // namespace
}  // namespace craft
