#include "core/option_conditions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/log.h"
#include "core/options.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

enum class Method { plan, iter, search };

struct OptionConditions : testing::Test {
    Method method = Method::plan;
    int64_t rounds = 5, count = 1000, samples = 1;
    double mistakes = 0;
    bool every = false, greedy = false;
    std::optional<double> temperature;
    std::string database, teacher = "rules", text, output, judge, guideline;
    std::vector<std::string> tools = {"all"}, panel;
    OptionTable table;

    void SetUp() override {
        table.add_enum("method", method, {{"plan", Method::plan}, {"iter", Method::iter}, {"search", Method::search}}, "how")
            .flag("--method");
        table.add("rounds", rounds, "of iter").flag("--rounds").needs({"method", {"iter", "search"}});
        table.add("count", count, "how many").flag("--count");
        table.add("every", every, "all").flag("--every").excludes("count", "there are as many as there are");
        table.add("samples", samples, "of each").flag("--samples");
        table.add("mistakes", mistakes, "a share").flag("--mistakes").needs(OptionState::at_least("samples", 2));
        table.add("greedy", greedy, "the arg-max").excludes("temperature");
        table.add("temperature", temperature, "of samples").flag("--temperature");
        table.add("database", database, "of examples").flag("--database");
        table.add("tools", tools, "what may be called")
            .flag("--tools")
            .one_of({"all", "none", "search"})
            .alone({"all", "none"})
            .needs("database")
            .when({"search"});
        table.add("teacher", teacher, "who teaches").flag("--teacher");
        table.add("text", text, "a text").flag("--text");
        table.add("output", output, "a file").flag("--output").required_without("text");
        table.add("judge", judge, "who judges").flag("--judge");
        table.add("panel", panel, "or several").flag("--panel");
        table.add("guideline", guideline, "what they are told").flag("--guideline").required_with({"judge", {"openai:"}});
        table.expect_one({.keys = {"judge", "panel"}, .why = "who judges", .unless = {"text"}});
    }
    std::vector<std::string> problems(bool check_required = false) {
        try {
            table.finish(check_required);
            return {};
        } catch (const UsageError& error) {
            return error.problems();
        }
    }
};

TEST_F(OptionConditions, WhatIsNotGivenNeedsNothing) {
    EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(OptionConditions, NeedsOneOfTheValuesOfAnother) {
    table.apply_flag("rounds", "5");
    EXPECT_THAT(problems(), ElementsAre("--rounds: expected with --method iter or search, got --method plan"));
}

TEST_F(OptionConditions, AnyOfTheValuesIsEnough) {
    table.apply_flag("rounds", "3");
    table.apply_flag("method", "search");
    EXPECT_THAT(problems(), IsEmpty());
}

TEST_F(OptionConditions, AreNotSaidOfAnOptionThatIsWrongItself) {
    table.apply_flag("rounds", "3");
    table.apply_flag("method", "itre");
    EXPECT_THAT(problems(), ElementsAre("--method: expected one of plan, iter, search, got 'itre'; did you mean 'iter'?"));
}

TEST_F(OptionConditions, ExcludesOneThatIsGivenAndSaysWhy) {
    table.apply_set("every=true");
    EXPECT_THAT(problems(), IsEmpty()) << "--count has a value, which nobody gave";
    table.apply_flag("count", "7");
    EXPECT_THAT(problems(), ElementsAre("--every: expected without --count, got with it (there are as many as there are)"));
}

TEST_F(OptionConditions, AValueThatTurnsOffNeedsAndExcludesNothing) {
    table.apply_flag("temperature", "1");
    table.apply_set("greedy=false");
    table.apply_flag("mistakes", "0");
    EXPECT_THAT(problems(), IsEmpty());
    table.apply_set("greedy=true");
    table.apply_flag("mistakes", "0.5");
    EXPECT_THAT(problems(), ElementsAre("--mistakes: expected with --samples of at least 2, got --samples 1",
                                        "--set greedy: expected without --temperature, got with it"));
}

TEST_F(OptionConditions, MayBeOfSomeValuesAlone) {
    table.apply_flag("tools", "none");
    EXPECT_THAT(problems(), IsEmpty());
    table.apply_flag("tools", "search");
    EXPECT_THAT(problems(), ElementsAre("--tools search: expected with --database, got without"));
}

TEST_F(OptionConditions, SomeValuesStandAlone) {
    table.apply_flag("tools", "all,all");
    EXPECT_THAT(problems(), IsEmpty());
    table.apply_flag("tools", "search,none");
    EXPECT_THAT(problems(), testing::Contains("--tools: expected 'none' alone, got it with others"));
}

TEST_F(OptionConditions, OneOfSeveralIsExpected) {
    table.apply_flag("output", "o");
    EXPECT_THAT(problems(), IsEmpty()) << "what is missing is not asked for";
    EXPECT_THAT(problems(true), ElementsAre("--judge and --panel: expected one of them, got none (who judges)"));
}

TEST_F(OptionConditions, AndNotTwoOfThem) {
    table.apply_flag("judge", "rules");
    table.apply_flag("panel", "a,b");
    EXPECT_THAT(problems(), ElementsAre("--judge and --panel: expected one of them, got both (who judges)"));
}

TEST_F(OptionConditions, RequireByWhatOthersAre) {
    table.apply_flag("judge", "openai:large");
    EXPECT_THAT(problems(true), ElementsAre("missing --output: a file", "missing --guideline: what they are told"));
}

TEST_F(OptionConditions, NothingIsRequiredWhereAnotherStandsInItsPlace) {
    table.apply_flag("text", "One.");
    EXPECT_THAT(problems(true), IsEmpty());
}

TEST_F(OptionConditions, HoldOfConfigurationsToo) {
    const TemporaryFolder folder;
    const std::string file = folder.file("c.json", R"({"rounds": 3, "every": true, "count": 1000})");
    table.apply_file(file);
    EXPECT_THAT(problems(), ElementsAre("--rounds: expected with --method iter or search, got --method plan"))
        << "a file may hold defaults, as a dumped one does";
}

TEST_F(OptionConditions, MayBeAWarning) {
    table.at("rounds").else_idle();
    table.apply_flag("rounds", "3");
    configure_log({});
    testing::internal::CaptureStderr();
    EXPECT_THAT(problems(), IsEmpty());
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "warning: --rounds: expected with --method iter or search, got --method plan; it has no effect\n");
}

TEST_F(OptionConditions, AreToldInHelp) {
    EXPECT_EQ(table.conditions_of(table.at("rounds")), "needs --method iter or search");
    EXPECT_EQ(table.conditions_of(table.at("every")), "not with --count");
    EXPECT_EQ(table.conditions_of(table.at("tools")), "search needs --database");
    EXPECT_EQ(table.conditions_of(table.at("output")), "required without --text");
    EXPECT_EQ(table.conditions_of(table.at("guideline")), "required with --judge openai:...");
    EXPECT_EQ(table.conditions_of(table.at("judge")), "or --panel");
    EXPECT_EQ(table.conditions_of(table.at("judge"), "judge"), "required");
    EXPECT_TRUE(table.is_excluded(table.at("every"), "count"));
    EXPECT_TRUE(table.is_excluded(table.at("panel"), "judge"));
    EXPECT_FALSE(table.is_excluded(table.at("judge"), "judge"));
}

TEST_F(OptionConditions, OfOptionsThatAreNotThereAreErrorsOfTheProgram) {
    table.at("rounds").needs("nowhere");
    table.apply_flag("rounds", "3");
    table.apply_flag("method", "iter");
    EXPECT_THROW(problems(), std::logic_error);
}

}  // namespace
}  // namespace craft
