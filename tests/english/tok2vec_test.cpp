#include "english/tok2vec.h"

#include <gmock/gmock.h>

#include "english/string_ids.h"
#include "tests/english/error_text.h"
#include "tests/english/small_model.h"

namespace craft {
namespace {

using ::testing::HasSubstr;
using Row = std::vector<double>;

// The same layers in other words: whole rows of zeros around the text, all of them computed in all layers.
Row plain_maxout(const ThincModel& model, size_t index, const Row& x) {
    const ThincLayer& maxout = *model.named("maxout")[index];
    const ThincLayer& norm = *model.named("layernorm")[index];
    const std::vector<float>& weights = maxout.tensor_of_sizes("W", 3, "").values;
    const std::vector<float>& bias = maxout.tensor_of_sizes("b", 2, "").values;
    Row best(test::kSmallWidth, -1e30);
    for (size_t i = 0; i < best.size(); ++i)
        for (size_t piece = 0; piece < test::kSmallPieces; ++piece) {
            double sum = bias[i * test::kSmallPieces + piece];
            for (size_t j = 0; j < x.size(); ++j) sum += weights[(i * test::kSmallPieces + piece) * x.size() + j] * x[j];
            best[i] = std::max(best[i], sum);
        }
    double mean = 0, variance = 0;
    for (const double value : best) mean += value / static_cast<double>(best.size());
    for (const double value : best) variance += (value - mean) * (value - mean) / static_cast<double>(best.size());
    for (size_t i = 0; i < best.size(); ++i)
        best[i] = (best[i] - mean) / std::sqrt(variance + 1e-8) * norm.tensor_of_sizes("G", 1, "").values[i] +
                  norm.tensor_of_sizes("b", 1, "").values[i];
    return best;
}

Row plain_embedding(const ThincModel& model, uint64_t norm, bool space) {
    Row x;
    for (size_t table = 0; table < 2; ++table) {
        const std::vector<float>& rows = model.named("hashembed")[table]->tensor_of_sizes("E", 2, "").values;
        Row sum(test::kSmallWidth);
        for (const uint32_t hash : row_hashes(table == 0 ? norm : space, 8 + static_cast<uint32_t>(table)))
            for (size_t i = 0; i < sum.size(); ++i) sum[i] += rows[hash % test::kSmallRows * sum.size() + i];
        x.insert(x.end(), sum.begin(), sum.end());
    }
    return plain_maxout(model, 0, x);
}

TEST(Tok2Vec, ComputesWhatItsLayersSay) {
    const ThincModel model(test::pack_model(test::small_tok2vec()), "model");
    const std::vector<uint64_t> norms = {11, 12, 13, 14, 15};
    const std::vector<bool> spaces = {true, true, false, true, false};
    const Row zeros(test::kSmallWidth);
    const size_t padding = 4;  // two more rows than two layers of windows reach, on each side
    std::vector<Row> rows(padding, zeros);
    std::vector<Lexeme> words(norms.size());
    for (size_t i = 0; i < norms.size(); ++i) {
        words[i].norm_id = norms[i];
        rows.push_back(plain_embedding(model, norms[i], spaces[i]));
    }
    rows.resize(rows.size() + padding, zeros);
    for (size_t layer = 1; layer < 3; ++layer) {
        std::vector<Row> next = rows;
        for (size_t i = 1; i + 1 < rows.size(); ++i) {
            Row window = rows[i - 1];
            window.insert(window.end(), rows[i].begin(), rows[i].end());
            window.insert(window.end(), rows[i + 1].begin(), rows[i + 1].end());
            const Row added = plain_maxout(model, layer, window);
            for (size_t j = 0; j < added.size(); ++j) next[i][j] += added[j];
        }
        rows = next;
    }
    const std::vector<float> got = Tok2Vec(model).vectors(words, spaces);
    ASSERT_EQ(got.size(), words.size() * test::kSmallWidth);
    for (size_t i = 0; i < got.size(); ++i)
        EXPECT_NEAR(got[i], rows[padding + i / test::kSmallWidth][i % test::kSmallWidth], 1e-4) << i;
}

TEST(Tok2Vec, OfNoWordsIsNothing) {
    EXPECT_TRUE(Tok2Vec(ThincModel(test::pack_model(test::small_tok2vec()), "model")).vectors({}, {}).empty());
}

TEST(Tok2Vec, RefusesOtherModels) {
    const auto refusal = [](const std::vector<test::PackedLayer>& layers) {
        return test::error_text([&] { Tok2Vec(ThincModel(test::pack_model(layers), "model")); });
    };
    EXPECT_THAT(refusal(test::small_tok2vec({"NORM", "CLUSTER"})), HasSubstr("got 'CLUSTER'"));
    EXPECT_THAT(refusal(test::small_tok2vec({"NORM"})), HasSubstr("a hashed table for each attribute, got 2 for 1"));
    std::vector<test::PackedLayer> layers = test::small_tok2vec();
    layers.back().attributes = {{"window_size", test::pack_number(2)}};
    EXPECT_THAT(refusal(layers), HasSubstr("windows of one word"));
    layers = test::small_tok2vec();
    layers[1].attributes[0] = {"column", test::pack_number(2)};
    EXPECT_THAT(refusal(layers), HasSubstr("a column below 2"));
    layers = test::small_tok2vec();
    layers[3].tensors[0].second = test::pack_tensor({4, 2, 9}, test::wave(72, 1));
    EXPECT_THAT(refusal(layers), HasSubstr("maxout: W: expected a tensor of the shape [4, 2, 8], got [4, 2, 9]"));
}

}  // namespace
}  // namespace craft
