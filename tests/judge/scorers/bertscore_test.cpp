#include "judge/scorers/bertscore.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/core/temporary_folder.h"
#include "tests/core/thread_ranks.h"
#include "tests/source.h"

namespace craft {
namespace {

const std::filesystem::path kSmallEncoder = test_source("/share/examples/encoder");  // 128 positions, 2 layers

Encoder small_encoder(int64_t layers = 2) {
    Encoder encoder = Encoder::load(kSmallEncoder, at::kFloat, at::kCPU);
    encoder.keep_layers(layers);
    return encoder;
}

BertScorer small_scorer(const BertScoreOptions& options = {}, int64_t layers = 2) {
    return {small_encoder(layers), open_tokenizer(kSmallEncoder), options};
}

// The definition, on the encoder's states of each text by itself: the best cosine of each token, weighted.
struct PlainBertScore {
    Encoder encoder = small_encoder();
    std::shared_ptr<Tokenizer> tokenizer = open_tokenizer(kSmallEncoder);
    std::map<int64_t, double> weights;

    std::vector<int64_t> ids(const std::string& text) const {
        std::vector<int64_t> all = tokenizer->encode(text, true);
        all.insert(all.begin(), 2);  // [CLS]
        all.push_back(3);            // [SEP]
        return all;
    }
    double weight(int64_t id, double other) const {
        const auto found = weights.find(id);
        return found == weights.end() ? other : found->second;
    }
    // Of the tokens of `text` in those of `other`.
    double matched(const std::string& text, const std::string& other, double unseen) const {
        const std::vector<int64_t> own = ids(text);
        const at::Tensor a = encoder.hidden({{.ids = own}})[0].to(at::kDouble);
        const at::Tensor b = encoder.hidden({{.ids = ids(other)}})[0].to(at::kDouble);
        double sum = 0, total = 0;
        for (int64_t i = 0; i < a.size(0); ++i) {
            double best = -1;
            for (int64_t j = 0; j < b.size(0); ++j)
                best = std::max(best, (a[i].dot(b[j]) / (a[i].norm() * b[j].norm())).item<double>());
            const double weight_here = weight(own[static_cast<size_t>(i)], unseen);
            sum += weight_here * best;
            total += weight_here;
        }
        return sum / total;
    }
};

// Groups of a few items each, one of which lacks figures.
TEST(BertScore, IsTheSameInAnyNumberOfRanks) {
    std::vector<BertScoreTexts> items = {{"", {"the road"}}, {"[SEP]", {"a road"}}};
    for (int i = 0; i < 12; ++i)
        items.push_back(
            {"The river rose " + std::to_string(i), {"the old road and the river", "a road " + std::to_string(i)}});
    BertScoreOptions options{.batch_tokens = 40, .group_tokens = 60};
    const std::vector<BertScoreFigures> alone = small_scorer(options).score(items);
    for (const int size : {2, 3}) {
        std::vector<std::vector<BertScoreFigures>> found(static_cast<size_t>(size));
        const auto thrown = test::ThreadRanks::run(size, [&](Ranks& ranks) {
            BertScoreOptions shared = options;
            shared.ranks = &ranks;
            found[static_cast<size_t>(ranks.rank())] = small_scorer(shared).score(items);
        });
        EXPECT_THAT(thrown, testing::Each(""));
        for (const auto& figures : found)
            for (size_t i = 0; i < items.size(); ++i) {
                EXPECT_EQ(figures[i].precision, alone[i].precision) << i;
                EXPECT_EQ(figures[i].recall, alone[i].recall) << i;
                EXPECT_EQ(figures[i].f1, alone[i].f1) << i;
                EXPECT_EQ(figures[i].prediction_empty, alone[i].prediction_empty) << i;
            }
    }
}

TEST(BertScore, IsTheMeanOfBestMatches) {
    PlainBertScore plain;
    plain.weights = {{2, 0}, {3, 0}};
    const std::string text = "The river rose", reference = "the old road and the river";
    const double precision = plain.matched(text, reference, 1), recall = plain.matched(reference, text, 1);
    const BertScoreFigures figures = small_scorer().score({{" The river rose\n", {reference}}}).at(0);
    EXPECT_NEAR(figures.precision.value(), precision, 1e-5);
    EXPECT_NEAR(figures.recall.value(), recall, 1e-5);
    EXPECT_NEAR(figures.f1.value(), 2 * precision * recall / (precision + recall), 1e-5);
    EXPECT_LT(precision, 0.999);
    EXPECT_NEAR(small_scorer().score({{text, {text}}}).at(0).f1.value(), 1, 1e-6);
}

TEST(BertScore, RareTokensWeighMoreWithIdf) {
    PlainBertScore plain;
    const std::vector<BertScoreTexts> items = {{"a river", {"the river", "the road"}}, {"the road", {"the night"}}};
    // Three references: [CLS], [SEP] and "the" stand in all, log(4 / 4) = 0; others in one, log(4 / 2).
    std::map<int64_t, int> documents;
    for (const BertScoreTexts& item : items)
        for (const std::string& reference : item.references) {
            const std::vector<int64_t> ids = plain.ids(reference);
            for (const int64_t id : std::set<int64_t>(ids.begin(), ids.end())) ++documents[id];
        }
    for (const auto& [id, count] : documents) plain.weights[id] = std::log(4.0 / (count + 1));
    EXPECT_EQ(plain.weights.at(2), 0);
    const BertScoreFigures figures = small_scorer({.idf = true}).score(items).at(1);
    EXPECT_NEAR(figures.precision.value(), plain.matched("the road", "the night", std::log(4.0)), 1e-5);
    EXPECT_NEAR(figures.recall.value(), plain.matched("the night", "the road", std::log(4.0)), 1e-5);
}

TEST(BertScore, DocumentsMayBeOthersThanTheReferences) {
    const std::vector<BertScoreTexts> items = {{"a river", {"the river"}}};
    EXPECT_FALSE(small_scorer({.idf = true}).score(items).at(0).f1) << "one document: all of its tokens are in all";
    PlainBertScore plain;
    // [CLS] and [SEP] stand in both documents, "the" and "road" in one, log(3 / 2), the others in none, log(3).
    for (const int64_t id : plain.ids("the road")) plain.weights[id] = id == 2 || id == 3 ? 0 : std::log(1.5);
    const BertScoreFigures figures = small_scorer({.idf = true, .documents = {"the road", ""}}).score(items).at(0);
    EXPECT_NEAR(figures.precision.value(), plain.matched("a river", "the river", std::log(3.0)), 1e-5);
    EXPECT_NEAR(figures.recall.value(), plain.matched("the river", "a river", std::log(3.0)), 1e-5);
}

TEST(BertScore, TheBestReferenceCounts) {
    const BertScorer scorer = small_scorer();
    const auto one = [&](const std::string& reference) { return scorer.score({{"the river rose", {reference}}}).at(0); };
    const BertScoreFigures a = one("the"), b = one("a long road and a river in the night");
    const BertScoreFigures both = scorer.score({{"the river rose", {"the", "a long road and a river in the night"}}}).at(0);
    EXPECT_EQ(both.precision, std::max(a.precision, b.precision));
    EXPECT_EQ(both.recall, std::max(a.recall, b.recall));
    EXPECT_EQ(both.f1, std::max(a.f1, b.f1));
}

TEST(BertScore, EmptyTextsScoreNothingAndAreCounted) {
    const auto figures =
        small_scorer().score({{" \n", {"the river"}}, {"the river", {""}}, {"", {"", ""}}, {"a", {"", "a"}}});
    EXPECT_EQ(figures[0].precision, 0);
    EXPECT_EQ(figures[0].recall, 0);
    EXPECT_EQ(figures[0].f1, 0);
    EXPECT_TRUE(figures[0].prediction_empty);
    EXPECT_EQ(figures[1].precision, 0);
    EXPECT_EQ(figures[1].recall, 0);
    EXPECT_EQ(figures[1].f1, 0);
    EXPECT_EQ(figures[1].references_empty, 1);
    EXPECT_EQ(figures[2].f1, 0);
    EXPECT_EQ(figures[2].references_empty, 2);
    EXPECT_NEAR(figures[3].f1.value(), 1, 1e-6);
    EXPECT_FALSE(figures[3].prediction_empty);
    EXPECT_TRUE(small_scorer().score({}).empty());
}

TEST(BertScore, TokensThatAllWeighNothingGiveNoFigure) {
    // One reference: each of its tokens stands in every document.
    const auto figures = small_scorer({.idf = true}).score({{"the river", {"the river"}}});
    EXPECT_FALSE(figures.at(0).precision || figures.at(0).recall || figures.at(0).f1);
    const auto spelled = small_scorer().score({{"[SEP]", {"the river"}}});
    EXPECT_FALSE(spelled.at(0).precision || spelled.at(0).f1);
    EXPECT_TRUE(spelled.at(0).recall);
}

TEST(BertScore, LongTextsAreCutAndCounted) {
    std::string text;
    for (int i = 0; i < 126; ++i) text += "the ";  // with [CLS] and [SEP] 128 tokens
    const auto figures = small_scorer().score({{text, {text}}, {text + "river", {text, text + "road road"}}});
    EXPECT_FALSE(figures[0].prediction_cut);
    EXPECT_EQ(figures[0].references_cut, 0);
    EXPECT_TRUE(figures[1].prediction_cut);
    EXPECT_EQ(figures[1].references_cut, 1);
    EXPECT_NEAR(figures[1].f1.value(), 1, 1e-6) << "what is cut off is not seen";
    const std::string megabyte(1 << 20, 'x');
    EXPECT_TRUE(small_scorer().score({{megabyte, {"x"}}}).at(0).precision);
}

TEST(BertScore, RescaledByABaseline) {
    const std::vector<BertScoreTexts> items = {{"the river", {"a road"}}};
    const BertScoreFigures plain = small_scorer().score(items).at(0);
    const BertScoreFigures figures =
        small_scorer({.baseline = BertScoreBaseline{.precision = 0.5, .recall = -1, .f1 = 0.75}}).score(items).at(0);
    EXPECT_DOUBLE_EQ(figures.precision.value(), (plain.precision.value() - 0.5) / 0.5);
    EXPECT_DOUBLE_EQ(figures.recall.value(), (plain.recall.value() + 1) / 2);
    EXPECT_DOUBLE_EQ(figures.f1.value(), (plain.f1.value() - 0.75) / 0.25);
}

TEST(BertScore, LayersDiffer) {
    const std::vector<BertScoreTexts> items = {{"the river", {"a road"}}};
    std::set<double> values;
    for (const int64_t layers : {0, 1, 2}) values.insert(small_scorer({}, layers).score(items).at(0).f1.value());
    EXPECT_EQ(values.size(), 3u);
    EXPECT_THAT(message_of([] { small_encoder(3); }), testing::HasSubstr("a layer from 0 to 2, got 3"));
}

// Neither the order of the items nor the sizes of batches and groups change a digit.
TEST(BertScore, OrderChangesNoDigit) {
    const std::vector<std::string> words = {"the", "river", "old", "road", "night", "a", "rose", "and"};
    std::vector<BertScoreTexts> items;
    for (size_t i = 0; i < 40; ++i) {
        std::string a, b, c;
        for (size_t w = 0; w <= i % 11; ++w) {
            a += words[(i * 3 + w * 5) % 8] + " ";
            b += words[(i + w * 7) % 8] + " ";
            c += words[(i * 5 + w) % 8] + " ";
        }
        items.push_back({a, {b, c}});
    }
    const auto digits = [](const std::vector<BertScoreFigures>& figures) {
        std::vector<std::optional<double>> all;
        for (const BertScoreFigures& one : figures)
            for (const auto& figure : {one.precision, one.recall, one.f1}) all.push_back(figure);
        return all;
    };
    const auto forward = digits(small_scorer({.idf = true, .batch_tokens = 64, .group_tokens = 128}).score(items));
    std::vector<BertScoreTexts> reversed(items.rbegin(), items.rend());
    for (BertScoreTexts& item : reversed) std::swap(item.references[0], item.references[1]);
    auto backward = small_scorer({.idf = true, .batch_tokens = 64, .group_tokens = 128}).score(reversed);
    std::reverse(backward.begin(), backward.end());
    EXPECT_EQ(forward, digits(backward));
}

TEST(BertScore, WhatCannotMeasureIsRefused) {
    struct Bare : Tokenizer {
        std::vector<int64_t> around = {};
        int64_t size = 10;
        std::vector<int64_t> encode_around(std::string_view, const std::vector<ByteRange>&) const override { return {7}; }
        std::string decode(const std::vector<int64_t>&, bool) const override { return ""; }
        int64_t vocabulary_size() const override { return size; }
        int64_t id_of(std::string_view) const override { return -1; }
        std::vector<int64_t> leading_tokens() const override { return around; }
        int64_t end_token() const override { return -1; }
    };
    const auto refusal = [](const Bare& tokenizer) {
        return message_of([&] { BertScorer(small_encoder(), std::make_shared<Bare>(tokenizer)); });
    };
    EXPECT_THAT(refusal({}), testing::HasSubstr("a tokenizer that adds tokens around a text"));
    Bare large;
    large.size = 92;
    EXPECT_THAT(refusal(large), testing::HasSubstr("a tokenizer of at most 91 tokens, got 92"));
    Bare many;
    many.around.assign(128, 2);
    EXPECT_THAT(refusal(many), testing::HasSubstr("a model with room for a text, got 128 positions"));
}

}  // namespace
}  // namespace craft
