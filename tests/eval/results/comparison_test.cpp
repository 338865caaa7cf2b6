#include "eval/results/comparison.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

EvalResult result_of(const std::string& name, const std::vector<std::pair<std::string, Json>>& figures,
                     const std::string& key = "accuracy") {
    Json items = Json::array();
    for (const auto& [id, figure] : figures) items.push_back({{"id", id}, {key, figure}});
    return eval_result_from_json({{"corpus", {{key, 0.9}}}, {"items", items}}, name);
}

TEST(Comparisons, CountItemsAndTestTheirMeans) {
    const EvalResult a = result_of("a.json", {{"1", 1.0}, {"2", 0.5}, {"3", 0.0}, {"4", 1.0}, {"5", nullptr}});
    const EvalResult b = result_of("b.json", {{"5", 1.0}, {"4", 0.0}, {"3", 0.5}, {"2", 0.5}, {"1", 0.0}});
    const Comparison found = compare_results(a, b, "", {});
    EXPECT_EQ(found.metric, "accuracy");
    EXPECT_EQ(found.wins, 2);
    EXPECT_EQ(found.ties, 1);
    EXPECT_EQ(found.losses, 1);
    EXPECT_EQ(found.n, 4);
    EXPECT_EQ(found.left_out, 1);
    EXPECT_DOUBLE_EQ(found.result.a, 2.5 / 4);
    EXPECT_DOUBLE_EQ(found.result.b, 1.0 / 4);
    const Json json = to_json(std::vector<Comparison>{found});
    EXPECT_EQ(json.at("difference"), 0.375);
    EXPECT_EQ(json.at("statistic"), "mean of items");
    EXPECT_EQ(json.at("corpus").at("a"), 0.9);
    EXPECT_EQ(json.at("interval").size(), 2u);
    EXPECT_FALSE(json.contains("p_holm"));
}

TEST(Comparisons, TheOrderOfItemsChangesNoDigit) {
    std::vector<std::pair<std::string, Json>> one, other;
    for (int i = 0; i < 40; ++i) {
        one.emplace_back(std::to_string(i), (i * 7 % 11) / 11.0);
        other.emplace_back(std::to_string(i), (i * 5 % 13) / 13.0);
    }
    const EvalResult b = result_of("b.json", other);
    const Json first = to_json(compare_results(result_of("a.json", one), b, "", {}));
    std::reverse(one.begin(), one.end());
    EXPECT_EQ(to_json(compare_results(result_of("a.json", one), b, "", {})), first);
}

TEST(Comparisons, LessIsBetterForPerplexity) {
    const EvalResult a = result_of("a.json", {{"1", 20.0}, {"2", 30.0}}, "perplexity");
    const EvalResult b = result_of("b.json", {{"1", 25.0}, {"2", 35.0}}, "perplexity");
    const Comparison found = compare_results(a, b, "perplexity", {});
    EXPECT_EQ(found.wins, 2);
    EXPECT_DOUBLE_EQ(found.result.difference, -5);
    EXPECT_LT(found.result.p, 1e-20);
    ComparisonOptions options;
    options.higher_is_better = true;
    EXPECT_EQ(compare_results(a, b, "perplexity", options).losses, 2);
}

TEST(Comparisons, FiguresThatOnlyDescribeAskWhichIsBetter) {
    const EvalResult a = result_of("a.json", {{"1", 1.0}, {"2", 0.5}}, "quality");
    EXPECT_EQ(message_of([&] { compare_results(a, a, "quality", {}); }),
              "figure 'quality': expected one of which more or less is better, got one that only describes (--better higher "
              "or --better lower says which)");
    ComparisonOptions options;
    options.higher_is_better = false;
    EXPECT_EQ(compare_results(a, a, "quality", options).ties, 2);
    const EvalResult wrong = result_of("w.json", {{"1", 1.0}, {"2", 0.0}}, "unusable");
    const EvalResult right = result_of("r.json", {{"1", 0.0}, {"2", 0.0}}, "unusable");
    EXPECT_EQ(compare_results(right, wrong, "unusable", {}).wins, 1);
    // A judge's preferences have the name of a count of errors.
    EvalResult liked = result_of("l.json", {{"1", 1.0}}, "grammaticality"), other = liked;
    other.items.at("1")["grammaticality"] = 0.5;
    liked.head["figures"]["grammaticality"]["better"] = "higher";
    EXPECT_THROW(compare_results(liked, other, "grammaticality", {}), Error) << "one side says so, the other does not";
    other.head["figures"] = liked.head["figures"];
    EXPECT_EQ(compare_results(liked, other, "grammaticality", {}).wins, 1);
}

TEST(Comparisons, IdsOnOneSideAreNamedAndCounted) {
    const EvalResult a = result_of("a.json", {{"1", 1}, {"2", 1}, {"3", 1}, {"4", 1}, {"5", 1}});
    const EvalResult b = result_of("b.json", {{"1", 1}, {"x", 1}});
    EXPECT_EQ(message_of([&] { compare_results(a, b, "", {}); }),
              "ids: expected the same on both sides, got 4 only in a.json ('2', '3', '4', ...), 1 only in b.json ('x')");
}

TEST(Comparisons, DifferentScorersAreRefused) {
    EvalResult a = result_of("a.json", {{"1", 1}}), b = a;
    b.name = "b.json";
    a.head["scoring"] = "strict";
    b.head["scoring"] = "published";
    EXPECT_EQ(
        message_of([&] { compare_results(a, b, "", {}); }),
        "scorers: expected the same on both sides, got {\"scoring\":\"strict\"} in a.json, {\"scoring\":\"published\"} in "
        "b.json");
    EXPECT_EQ(
        message_of([&] { compare_results(b, b, "sari", {}); }),
        "b.json and b.json: expected items with the figure 'sari' on both sides, got none of 1 (--metric names another "
        "one: accuracy in b.json, accuracy in b.json)");
    // A figure that hangs on nothing that differs is compared.
    for (EvalResult* result : {&a, &b}) result->head["figures"]["accuracy"]["depends_on"] = {"sentences", "options.x"};
    EXPECT_EQ(compare_results(a, b, "", {}).ties, 1);
    b.head["options"]["x"] = 1;
    EXPECT_THROW(compare_results(a, b, "", {}), Error);
}

TEST(Comparisons, SeveralFiguresAreCorrected) {
    const EvalResult a = eval_result_from_json(
        Json::parse(R"({"items":[{"id":"1","f1":1,"exact_match":true},{"id":"2","f1":0.5,"exact_match":false}]})"), "a");
    const EvalResult b = eval_result_from_json(
        Json::parse(R"({"items":[{"id":"1","f1":0,"exact_match":false},{"id":"2","f1":0.5,"exact_match":true}]})"), "b");
    const std::vector<Comparison> both = compare_figures(a, b, {"f1", "exact_match"}, {});
    ASSERT_EQ(both.size(), 2u);
    EXPECT_DOUBLE_EQ(*both[0].p_holm, std::min(1.0, 2 * both[0].result.p)) << "the smaller of two";
    EXPECT_EQ(both[1].wins, 1);
    EXPECT_EQ(both[1].losses, 1);
    const Json json = to_json(both);
    EXPECT_EQ(json.at("correction"), "holm");
    EXPECT_TRUE(json.at("comparisons")[1].contains("p_holm"));
    EXPECT_THROW(compare_figures(a, b, {"f1", "f1"}, {}), Error);
}

// BLEU's counts {matches, totals, lengths}. A: all n-grams match, 100. B: half of the single words, a third of the pairs and
// so on, whose product's fourth root is B's corpus figure; the items' values are made up and no part of it.
EvalResult bleu_result(const std::string& name, const std::string& places) {
    const std::string items_a =
        R"({"id":"x","bleu":1,"summands":[4,3,2,1,4,3,2,1,4,4]},{"id":"y","bleu":2,"summands":[6,5,4,3,6,5,4,3,6,6]})";
    const std::string items_b =
        R"({"id":"y","bleu":2,"summands":[3,1,1,1,6,5,4,3,6,6]},{"id":"x","bleu":0,"summands":[2,2,1,0,4,3,2,1,4,4]})";
    return eval_result_from_json(
        Json::parse(R"({"metric":"bleu","options":{"variant":"sacrebleu"},"corpus":{"bleu":50},"items":[)" +
                    (places == "a" ? items_a : items_b) + "]}"),
        name);
}

TEST(Comparisons, CorpusFiguresAreMadeAnew) {
    const EvalResult a = bleu_result("a.json", "a"), b = bleu_result("b.json", "b");
    const Comparison found = compare_results(a, b, "", {});
    EXPECT_TRUE(found.of_corpus);
    EXPECT_DOUBLE_EQ(found.result.a, 100);
    EXPECT_DOUBLE_EQ(found.result.b, 100 * std::pow(5.0 / 10 * 3 / 8 * 2 / 6 * 1 / 4, 0.25));
    EXPECT_EQ(found.wins, 1);
    EXPECT_EQ(found.ties, 1) << "by the items' own values";
    EXPECT_EQ(found.result.a_better, 100) << "in every resample";
    EXPECT_EQ(to_json(found).at("statistic"), "corpus");
    ComparisonOptions options;
    options.test = PairedTest::permutation;
    options.resamples = 999;
    const Json alone = to_json(compare_results(a, b, "", options));
    options.threads = 3;
    EXPECT_EQ(to_json(compare_results(a, b, "", options)), alone);
    EXPECT_THROW(compare_results(a, b, "sari", options), Error);
}

// Results that were written before items had summands.
TEST(Comparisons, WithoutSummandsMeansOfItemsAreCompared) {
    EvalResult a = bleu_result("a.json", "a"), b = bleu_result("b.json", "b");
    for (auto& [id, item] : b.items) item.erase("summands");
    EXPECT_FALSE(compare_results(a, b, "", {}).of_corpus);
    EXPECT_DOUBLE_EQ(compare_results(a, b, "", {}).result.a, 1.5);
    b = bleu_result("b.json", "b");
    b.items.at("y").erase("summands");
    EXPECT_EQ(message_of([&] { compare_results(a, b, "", {}); }),
              "b.json: field 'summands': expected it in every item, got it in 1 of 2");
    b = bleu_result("b.json", "b");
    b.items.at("y")["summands"] = {1, 2, -3};
    EXPECT_EQ(message_of([&] { compare_results(a, b, "", {}); }),
              "b.json: item 'y': field 'summands': expected whole numbers from 0 to 1e12, got -3");
    b.items.at("y")["summands"] = {1, 2};
    EXPECT_EQ(
        message_of([&] { compare_results(a, b, "", {}); }),
        "item 'y': field 'summands': expected as many numbers on both sides, got 10 and 2 (were both scored against the "
        "same references?)");
}

TEST(Comparisons, EditsHaveTheirMainFigure) {
    const auto result = [](const std::string& name, const std::string& counts) {
        return eval_result_from_json(
            Json::parse(R"({"metric":"m2","options":{"beta":2},"items":[{"id":"1","f2":0.5,"precision":1,)"
                        R"("summands":)" +
                        counts + "}]}"),
            name);
    };
    const Comparison found = compare_results(result("a", "[1,2,4]"), result("b", "[0,2,4]"), "", {});
    EXPECT_EQ(found.metric, "f2");
    EXPECT_DOUBLE_EQ(found.result.a, 5 * 0.5 * 0.25 / (4 * 0.5 + 0.25));
    EXPECT_DOUBLE_EQ(found.result.b, 0);
}

}  // namespace
}  // namespace craft
