// Candidates' numbers for `--judge scores`: metrics without references, a command of the user's, numbers that came along.
#include "judge/run/candidate_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/judge_options.h"
#include "core/files.h"
#include "metrics/registry.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Numbers = std::vector<std::optional<double>>;

CandidateGroup group_of_texts(const std::string& source, const std::vector<std::string>& texts) {
    CandidateGroup group{"g", source, "", {}};
    for (const std::string& text : texts) group.candidates.push_back({.system = "s", .text = text});
    return group;
}

Numbers numbers_of(const CandidateScoreOptions& options, const CandidateGroup& group) {
    CandidateScores scores(options, {});
    scores.measure({group});
    return scores.scoring()(group);
}

TEST(CandidateScores, AMetricThatIsBetterTheLowerIsTurned) {
    const CandidateGroup group = group_of_texts(
        "s", {"The committee deliberated extensively.", " ", "They thought it over.", "They thought it over."});
    const Numbers numbers = numbers_of({.metric = "fkgl"}, group);
    ASSERT_EQ(numbers.size(), 4u);
    const auto grade = [](const std::string& text) { return *make_metric("fkgl")->measure({"1", "", text, {}}).value; };
    EXPECT_DOUBLE_EQ(*numbers[0], -grade(group.candidates[0].text));
    EXPECT_EQ(numbers[1], std::nullopt) << "holds nothing";
    EXPECT_GT(*numbers[2], *numbers[0]) << "simpler is better";
    EXPECT_EQ(numbers[2], numbers[3]);
    const Numbers split = numbers_of(
        {.metric = "fkgl"}, group_of_texts("s", {"The cat sat on the mat and the dog slept in the hall of the old house.",
                                                 "The cat sat on the mat. The dog slept in the hall of the old house."}));
    EXPECT_GT(*split[1], *split[0]) << "two sentences in a line are two";
    CandidateScores scores({.metric = "fkgl"}, {});
    scores.measure({group, group});
    scores.measure({group});
    EXPECT_EQ(scores.measured(), 2) << "each text of a source once";
    EXPECT_EQ(scores.name(), "scores:fkgl");
    EXPECT_EQ(scores.to_json()["better"], "lower");
    EXPECT_THAT(scores.to_json()["metric"].get<std::string>(), testing::StartsWith("fkgl|"));
    const Judgement judgement = ScoreJudge(scores.name(), {}, scores.scoring()).judge(group, {}, 0);
    EXPECT_EQ(judgement.verdicts.at(""), (ListwiseVerdict{2, 0}));
}

TEST(CandidateScores, PerplexityOfAModel) {
    const CandidateGroup group = group_of_texts("s", {"the the the", "zq vx jk"});
    const Numbers numbers = numbers_of({.metric = "perplexity", .model = test::tiny_model()}, group);
    for (const auto& number : numbers) {
        ASSERT_TRUE(number);
        EXPECT_LT(*number, 0);
    }
    EXPECT_NE(numbers[0], numbers[1]);
}

TEST(CandidateScores, ACommandIsStartedOnceAndReadsWhatMetricsRead) {
    const TemporaryFolder folder;
    const std::string asked = (folder.path() / "asked").string();
    // Scores by the length of a row, which grows with the text.
    CandidateScoreOptions options;
    options.command.command =
        "tee -a " + asked + R"( | awk '{split($0, id, "\""); printf "{\"id\":\"%s\",\"score\":%d}\n", id[4], length($0)}')";
    const CandidateGroup one = group_of_texts("s", {"a", "abc", "a"}), other = group_of_texts("t", {"a"});
    CandidateScores scores(options, {});
    scores.measure({one, other});
    const Numbers numbers = scores.scoring()(one);
    EXPECT_EQ(*numbers[1] - *numbers[0], 2);
    EXPECT_EQ(read_file(asked),
              "{\"id\":\"1\",\"source\":\"s\",\"prediction\":\"a\",\"references\":[]}\n"
              "{\"id\":\"2\",\"source\":\"s\",\"prediction\":\"abc\",\"references\":[]}\n"
              "{\"id\":\"3\",\"source\":\"t\",\"prediction\":\"a\",\"references\":[]}\n");
    EXPECT_EQ(scores.name(), "scores:command");
    options.lower_is_better = true;
    EXPECT_EQ(*numbers_of(options, one)[0], -*numbers[0]);
}

TEST(CandidateScores, ACommandThatFailsIsAnError) {
    const CandidateGroup group = group_of_texts("s", {"a", "b"});
    const auto failure = [&](const std::string& command) {
        CandidateScoreOptions options;
        options.command = {.command = command, .timeout_seconds = .3, .restarts = 0};
        return message_of([&] { numbers_of(options, group); });
    };
    EXPECT_THAT(failure("exit 3"), HasSubstr("exit 3"));
    EXPECT_THAT(failure("sleep 5"), HasSubstr("sleep 5"));
    EXPECT_THAT(failure(R"(tac | sed 's/}$/,"score":1}/')"), HasSubstr("answer"));
    EXPECT_THAT(failure(R"(head -n 1 | sed 's/}$/,"score":1}/')"), testing::Ne("(nothing thrown)"));
    EXPECT_THAT(failure(R"(sed -u 's/}$/,"score":null}/')"), HasSubstr("score"));
}

TEST(CandidateScores, NumbersThatCameAlongAndTextsThatWereNotMeasured) {
    CandidateGroup group = group_of_texts("s", {"a", "b"});
    group.candidates[0].scores = {{"lens", 3}};
    EXPECT_EQ(numbers_of({.field = "lens", .lower_is_better = true}, group), (Numbers{-3, std::nullopt}));
    EXPECT_EQ(CandidateScores({.field = "lens"}, {}).name(), "scores:field lens");
    const CandidateScores scores({.metric = "fkgl"}, {});
    EXPECT_EQ(message_of([&] { scores.scoring()(group); }),
              "scores:fkgl: candidates of 'g': expected texts that were measured before, got 'a'");
}

// Those of texts alone that are there; of quality's figures none says which revision is better.
TEST(CandidateScores, EveryMetricWithoutReferencesIsOffered) {
    std::vector<std::string> free;
    for (const std::string& name : metric_names())
        if (!make_metric(name)->needs().references) free.push_back(name);
    EXPECT_THAT(free, ElementsAre("fkgl", "quality"));
    EXPECT_THAT(candidate_metric_names(), ElementsAre("bartscore", "fkgl", "perplexity", "some"));
}

std::vector<std::string> score_problems(const std::vector<std::pair<std::string, std::string>>& given, bool is_used) {
    OptionTable table;
    CandidateScoreOptions options;
    std::string judge = is_used ? "scores" : "rules";
    std::vector<std::string> panel;
    table.add("judge", judge, "who judges").flag("--judge");
    table.add("panel", panel, "or several").flag("--panel");
    bind_candidate_scores(table, options);
    for (const auto& [key, value] : given) table.apply_flag(key, value);
    try {
        table.finish();
        return {};
    } catch (const UsageError& error) {
        return error.problems();
    }
}

TEST(CandidateScores, ExactlyOneOfThem) {
    const std::string one = "--scores-metric, --scores-command and --scores-field: expected one of them, got ";
    EXPECT_THAT(score_problems({}, false), ElementsAre());
    EXPECT_THAT(score_problems({}, true), ElementsAre(one + "none (what --judge scores goes by)"));
    EXPECT_THAT(score_problems({{"scores.metric", "fkgl"}}, true), ElementsAre());
    EXPECT_THAT(score_problems({{"scores.metric", "fkgl"}, {"scores.field", "lens"}}, true),
                ElementsAre(one + "--scores-metric and --scores-field (what --judge scores goes by)"));
    EXPECT_THAT(score_problems({{"scores.metric", "fkgl"}}, false),
                ElementsAre("--scores-metric: expected with --judge scores or --panel scores, got without"));
    EXPECT_THAT(score_problems({{"scores.metric", "fkgl"}, {"scores.lower", "true"}}, true),
                ElementsAre("--scores-lower: expected with --scores-command or --scores-field, got without"));
    EXPECT_THAT(score_problems({{"scores.metric", "perplexity"}}, true),
                ElementsAre(testing::StartsWith("missing --scores-model: ")));
    EXPECT_THAT(score_problems({{"scores.field", "lens"}, {"scores.model", "m"}}, true),
                ElementsAre("--scores-model: expected with --scores-metric bartscore, perplexity or some, got without"));
    EXPECT_THAT(score_problems({{"scores.metric", "sari"}}, true), ElementsAre(HasSubstr("sari")));
}

}  // namespace
}  // namespace craft
