#include "results/comparison.h"

#include <gtest/gtest.h>

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
        "one)");
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

}  // namespace
}  // namespace craft
