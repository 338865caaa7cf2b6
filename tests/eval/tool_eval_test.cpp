#include "eval/tool_eval.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/reference.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::vector<ToolItem> items_in(const TemporaryFolder& folder) {
    return read_tool_items(folder.file(
        "c.jsonl",
        R"json({"id":"a","instruction":"i","text":"t","constraints":[["word_count_check(9, \"less than\")"],["sentence_check([2, 1], \"unchange\")"]],"planner_calls":{"p":["python","text_eval()","word_count_check(9, \"less than\")"]}}
{"id":"b","domain":0,"instruction":"i","text":"t","constraints":[]}
)json"));
}

TEST(ToolEval, ScoresWhatThePlannerWrote) {
    const TemporaryFolder folder;
    const auto items = items_in(folder);
    const auto strict = evaluate_tools(
        items, {{"a", {"sentence_modification_check([1,2], 'unchange')", "word_count_check(9, 'less than')", "foo(1)"}}},
        ToolReading::strict);
    ASSERT_EQ(strict.items.size(), 1u);
    EXPECT_EQ(strict.missing, 1);
    EXPECT_DOUBLE_EQ(strict.items[0].f1, 2.0 * 3 / (4 + 3));
    EXPECT_DOUBLE_EQ(strict.items[0].constraint_f1, 2.0 * 2 / (3 + 2));
    EXPECT_EQ(strict.items[0].unusable, 1);
    EXPECT_DOUBLE_EQ(*strict.by_shape.at("keep_two").f1, strict.items[0].f1);
    EXPECT_EQ(strict.by_domain.at("c2").items, 1);

    // As raw strings, only this spelling of the two is the gold one.
    const auto published = evaluate_tools(
        items, {{"a", {"sentence_check([2, 1], \"unchange\")", "word_count_check(9, 'less than')"}}, {"b", {"python"}}},
        ToolReading::published);
    EXPECT_DOUBLE_EQ(published.items[0].f1, 2.0 * 2 / (3 + 3));
    EXPECT_DOUBLE_EQ(published.items[0].constraint_f1, 2.0 * 1 / (2 + 2));
    EXPECT_DOUBLE_EQ(published.items[1].constraint_f1, 1);
    EXPECT_EQ(published.missing, 0);
    EXPECT_EQ(to_json(published).at("corpus").at("by_domain").at("c0").at("f1"), 1.0);
}

// "a" has two gold calls, one of them predicted beside a wrong one; "b" has none, and one is predicted. With text_eval() on
// both sides of both: 1 + 2 correct of 3 + 2 predicted and 2 + 2 gold.
TEST(ToolEval, MicroIsOfSummedCalls) {
    const TemporaryFolder folder;
    const auto items = items_in(folder);
    const std::vector<PredictedCalls> predictions = {{"a", {"word_count_check(9, \"less than\")", "foo(1)", "text_eval()"}},
                                                     {"b", {"word_count_check(9, \"less than\")"}}};
    for (const ToolReading reading : {ToolReading::strict, ToolReading::published}) {
        const Json corpus = to_json(evaluate_tools(items, predictions, reading)).at("corpus");
        const Json &micro = corpus.at("micro"), &constraints = corpus.at("constraint_micro");
        EXPECT_DOUBLE_EQ(corpus.at("f1").get<double>(), (2.0 * 2 / (3 + 3) + 2.0 * 1 / (2 + 1)) / 2) << "a mean of items";
        EXPECT_EQ(micro.at("correct"), 3);
        EXPECT_EQ(micro.at("predicted"), 5);
        EXPECT_EQ(micro.at("gold"), 4);
        EXPECT_DOUBLE_EQ(micro.at("f1").get<double>(), 2.0 * 3 / (5 + 4));
        EXPECT_DOUBLE_EQ(micro.at("precision").get<double>(), 3.0 / 5);
        EXPECT_DOUBLE_EQ(micro.at("recall").get<double>(), 3.0 / 4);
        EXPECT_DOUBLE_EQ(constraints.at("f1").get<double>(), 2.0 * 1 / (3 + 2));
        EXPECT_DOUBLE_EQ(corpus.at("by_domain").at("c2").at("micro").at("f1").get<double>(), 2.0 * 2 / (3 + 3));
        const Json& without_gold = corpus.at("by_domain").at("c0").at("constraint_micro");
        EXPECT_EQ(without_gold.at("precision"), 0.0);
        EXPECT_TRUE(without_gold.at("recall").is_null());
    }
    const Json nothing = to_json(evaluate_tools(items, {{"b", {}}}, ToolReading::strict)).at("corpus");
    EXPECT_EQ(nothing.at("micro").at("f1"), 1.0) << "text_eval() alone";
    EXPECT_TRUE(nothing.at("constraint_micro").at("f1").is_null());
}

// "a": 8 for 9, and no call for the sentences; "b": one too many.
TEST(ToolEval, ErrorsAreToldByKindAndDomain) {
    const TemporaryFolder folder;
    const auto items = items_in(folder);
    const std::vector<PredictedCalls> predictions = {{"a", {"word_count_check(8, \"less than\")"}},
                                                     {"b", {"word_count_check(9, \"less than\")"}}};
    const ToolEvaluation strict = evaluate_tools(items, predictions, ToolReading::strict);
    const Json result = to_json(strict), &all = result.at("corpus").at("call_errors");
    ASSERT_EQ(all.size(), call_error_kinds().size());
    for (const auto& [kind, count] : all.items())
        EXPECT_EQ(count, kind == "off_by_one" || kind == "left_out" || kind == "too_many" ? 1 : 0) << kind;
    const Json& domains = result.at("corpus").at("by_domain");
    EXPECT_EQ(domains.at("c2").at("call_errors").at("off_by_one"), 1);
    EXPECT_EQ(domains.at("c0").at("call_errors").at("off_by_one"), 0);
    EXPECT_EQ(domains.at("c0").at("call_errors").at("too_many"), 1);
    EXPECT_EQ(result.at("items")[0].at("call_errors"), (Json{{"left_out", 1}, {"off_by_one", 1}}));

    const std::string table = error_table(strict);
    EXPECT_THAT(table, HasSubstr("errors of calls       all  share     c0     c2\n"));
    EXPECT_THAT(table, HasSubstr("left_out                1   33 %      0      1\n"));
    EXPECT_THAT(table, HasSubstr("sum                     3  100 %      1      2\n"));
    const ToolEvaluation published = evaluate_tools(items, predictions, ToolReading::published);
    EXPECT_FALSE(to_json(published).at("corpus").contains("call_errors"));
}

TEST(ToolEval, AnOpenCallDoesNotTakeInTheNext) {
    const TemporaryFolder folder;
    const auto evaluation =
        evaluate_tools(items_in(folder), {{"a", {"word_count_check(9,", "\"less than\")"}}}, ToolReading::strict);
    EXPECT_EQ(evaluation.items[0].unusable, 1);
}

// Gold of "a" are two calls. What was cut is a wrong prediction whatever its name; prose is none, and counted.
TEST(ToolEval, CallsThatNeverEndAreMalformed) {
    const TemporaryFolder folder;
    const auto items = items_in(folder);
    const auto scored = [&](const WrittenCalls& calls) {
        return evaluate_tools(items, {{"a", calls}}, ToolReading::strict).items[0];
    };
    for (const char* cut : {"nonsense(", "bogus(3", " bogus (", "bogus(3)", "word_count_check(5", "bogus( \n"}) {
        const ToolItemScore item = scored({cut});
        const bool is_call = std::string(cut) != " bogus (";
        EXPECT_EQ(item.unusable, is_call ? 1 : 0) << cut;
        EXPECT_EQ(item.ignored, is_call ? 0 : 1) << cut;
        EXPECT_DOUBLE_EQ(item.f1, is_call ? 2.0 / 5 : 2.0 / 4) << cut << ": text_eval() of two or one, and three";
    }
    const auto prose = evaluate_tools(items, {{"a", {"hello", "", "word(s) of it", "see (below"}}}, ToolReading::strict);
    EXPECT_EQ(prose.items[0].unusable, 0);
    EXPECT_EQ(prose.items[0].ignored, 4);
    EXPECT_EQ(to_json(prose).at("corpus").at("ignored"), 4);
    EXPECT_EQ(scored({"nonsense(", "nonsense( ", "Bogus("}).unusable, 2) << "distinct ones";
}

TEST(ToolEval, RecordedPlanners) {
    const TemporaryFolder folder;
    const auto items = items_in(folder);
    const auto calls = recorded_calls(items, "p");
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].calls.size(), 3u);
    EXPECT_THROW(recorded_calls(items, "q"), UsageError);
    EXPECT_THROW(recorded_calls({items[1]}, "p"), UsageError);
}

TEST(ToolEval, RefusesBadPredictions) {
    const TemporaryFolder folder;
    EXPECT_THROW(evaluate_tools(items_in(folder), {{"z", {}}}, ToolReading::strict), Error);
    const auto message = [&](const std::string& text) {
        try {
            read_predicted_calls(folder.file("p.jsonl", text));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_THAT(message("{\"id\":\"a\"}"), HasSubstr("p.jsonl:1: field 'calls'"));
    EXPECT_THAT(message("{\"id\":\"a\",\"calls\":[3]}"), HasSubstr("field 'calls'"));
    EXPECT_THAT(message("{\"id\":\"a\",\"calls\":[]}\n{\"id\":\"a\",\"calls\":[]}"),
                HasSubstr("p.jsonl:2: expected each id once"));
    EXPECT_EQ(message("{\"id\":\"a\",\"calls\":[\"text_eval()\"],\"response\":\"r\"}"), "");
}

TEST(ToolEval, PublishedReadingGivesEveryRecordedF1) {
    int64_t compared = 0;
    for (int domain = 0; domain <= 3; ++domain) {
        CRAFT_REFERENCE_FILE(file, "data/cord/c" + std::to_string(domain) + ".jsonl");
        const auto items = read_tool_items(file.string());
        std::map<std::string, std::map<std::string, double>> recorded;  // planner, id
        JsonLinesReader rows(file.string());
        while (const auto row = rows.next()) {
            for (const auto& [planner, f1] : row->at("planner_f1").items())
                recorded[planner][row->at("id")] = f1.get<double>();
        }
        for (const auto& [planner, f1] : recorded) {
            const auto evaluation = evaluate_tools(items, recorded_calls(items, planner), ToolReading::published);
            EXPECT_EQ(evaluation.items.size(), f1.size()) << planner;
            for (const auto& item : evaluation.items) {
                EXPECT_NEAR(item.f1, f1.at(item.id), 1e-12) << planner << " " << item.id;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 2000);
}

}  // namespace
}  // namespace craft
