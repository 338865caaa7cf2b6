#include "judge/scorers/perplexity_metric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/model/random_model.h"

namespace craft {
namespace {

std::shared_ptr<const PerplexityScorer> tiny_perplexity(int64_t batch_tokens = 4096) {
    const std::filesystem::path folder = test::tiny_model();
    return std::make_shared<PerplexityScorer>(Decoder::load(folder, at::kFloat, at::kCPU), open_tokenizer(folder),
                                              PerplexityOptions{.batch_tokens = batch_tokens});
}

MetricItem prediction_of(const std::string& id, const std::string& text) {
    return {.id = id, .source = "", .prediction = text, .references = {}};
}

TEST(PerplexityMetric, IsOfItemsAndOfAllTheirTokens) {
    const auto scorer = tiny_perplexity();
    const auto metric = perplexity_metric(scorer, {"xxh64:1", "float32"});
    EXPECT_TRUE(metric->corpus().at("perplexity").is_null());
    const std::string first = "The river rose. It was night.", second = "A road.";
    const auto scores =
        metric->measure_all({prediction_of("a", first), prediction_of("b", " \n"), prediction_of("c", second)});
    const std::vector<TokenNll> all = scorer->likelihoods({second, first});
    for (const ItemScore& score : scores) metric->add(score);
    EXPECT_EQ(scores[0].value, std::exp(all[1].sum / static_cast<double>(all[1].tokens)));
    EXPECT_FALSE(scores[1].value) << "no tokens";
    EXPECT_EQ(scores[1].parts, Json::parse(R"({"nll":0.0,"tokens":0})"));
    const Json corpus = metric->corpus();
    EXPECT_EQ(corpus.at("tokens"), all[0].tokens + all[1].tokens);
    EXPECT_DOUBLE_EQ(corpus.at("perplexity").get<double>(),
                     std::exp((all[0].sum + all[1].sum) / static_cast<double>(all[0].tokens + all[1].tokens)));
    EXPECT_DOUBLE_EQ(corpus.at("mean").get<double>(), (*scores[0].value + *scores[2].value) / 2);
    EXPECT_EQ(metric->signature(), "perplexity|CRAFT-D.3|sentences:paper,float32|model:xxh64:1|as given");
    const auto values = tiny_perplexity();
    EXPECT_EQ(std::const_pointer_cast<PerplexityScorer>(values)->score({{"", second}, {"", first}}).at(1), *scores[0].value)
        << "the reward's figure";
}

TEST(PerplexityMetric, OrderChangesNoDigit) {
    std::vector<MetricItem> items;
    for (int i = 0; i < 30; ++i)
        items.push_back(prediction_of(std::to_string(i), "It is " + std::string(static_cast<size_t>(i % 7 + 1), 'a') +
                                                             ". The " + std::to_string(i) + " roads."));
    const auto metric = perplexity_metric(tiny_perplexity(64), {"", ""});
    const auto forward = metric->measure_all(items);
    std::reverse(items.begin(), items.end());
    auto backward = metric->measure_all(items);
    std::reverse(backward.begin(), backward.end());
    for (size_t i = 0; i < forward.size(); ++i) EXPECT_EQ(forward[i].value, backward[i].value) << i;
}

}  // namespace
}  // namespace craft
