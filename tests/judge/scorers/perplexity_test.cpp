#include "judge/scorers/perplexity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {

namespace {

// One token a byte from 'a' on, modulo the small decoder's 61; counts the texts that it was given.
struct ByteTokenizer : Tokenizer {
    std::vector<int64_t> leading = {1};
    int64_t end = 2;
    int64_t size = 61;
    mutable int encoded = 0;
    std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>&) const override {
        ++encoded;
        std::vector<int64_t> ids;
        for (const char c : text) ids.push_back(static_cast<unsigned char>(c) % 61);
        return ids;
    }
    std::string decode(const std::vector<int64_t>&, bool) const override { return ""; }
    int64_t vocabulary_size() const override { return size; }
    int64_t id_of(std::string_view) const override { return -1; }
    std::vector<int64_t> leading_tokens() const override { return leading; }
    int64_t end_token() const override { return end; }
};

Decoder decoder() {
    static const Decoder made = test::lively_decoder(test::small_config(), at::kFloat);
    return made;
}

// exp of the mean negative log-probability, from the logits of each sequence on its own.
double expected_perplexity(const std::vector<std::vector<int64_t>>& sequences) {
    double nll = 0, tokens = 0;
    for (const auto& sequence : sequences) {
        const PackedBatch batch = pack({{{}, {{sequence, std::vector<uint8_t>(sequence.size(), 0)}}}}, at::kCPU);
        const Decoder model = decoder();
        const at::Tensor logits = model.logits(model.hidden(batch)).log_softmax(-1);
        for (size_t i = 1; i < sequence.size(); ++i) nll -= logits[static_cast<int64_t>(i) - 1][sequence[i]].item<double>();
        tokens += static_cast<double>(sequence.size() - 1);
    }
    return std::exp(nll / tokens);
}

std::vector<int64_t> behind(int64_t start, const std::string& text) {
    std::vector<int64_t> ids = ByteTokenizer().encode(text, false);
    ids.insert(ids.begin(), start);
    return ids;
}

double perplexity_of(PerplexityScorer& scorer, const std::string& text) {
    return scorer.score({{"", text}}).at(0);
}

}  // namespace

TEST(Perplexity, IsThatOfTheSentences) {
    PerplexityScorer scorer(decoder(), std::make_shared<ByteTokenizer>());
    const double expected = expected_perplexity({behind(1, "Go on."), behind(1, "The river rose!"), behind(1, "Go on.")});
    EXPECT_NEAR(perplexity_of(scorer, "Go on. The river rose!  Go on."), expected, 1e-4 * expected);
}

TEST(Perplexity, EndTokenStartsWhereThereIsNoLeadingOne) {
    const auto tokenizer = std::make_shared<ByteTokenizer>();
    tokenizer->leading = {};
    PerplexityScorer scorer(decoder(), tokenizer);
    const double expected = expected_perplexity({behind(2, "Go on.")});
    EXPECT_NEAR(perplexity_of(scorer, "Go on."), expected, 1e-4 * expected);
    tokenizer->end = -1;
    EXPECT_THROW(PerplexityScorer(decoder(), tokenizer), Error);
}

TEST(Perplexity, LongSentencesAreReadInPieces) {
    PerplexityScorer scorer(decoder(), std::make_shared<ByteTokenizer>());
    const std::string text(300, 'x');  // the model has 256 positions, one is the leading token's
    const double expected = expected_perplexity({behind(1, text.substr(0, 255)), behind(1, text.substr(255))});
    EXPECT_NEAR(perplexity_of(scorer, text), expected, 1e-4 * expected);
}

TEST(Perplexity, BatchesChangeNothing) {
    std::vector<ScoredPair> pairs;
    std::string text;
    for (int i = 0; i < 12; ++i) {
        text += std::string(static_cast<size_t>(1 + i * 7 % 50), static_cast<char>('a' + i % 26)) + " is it. ";
        pairs.push_back({"", text});
    }
    PerplexityScorer whole(decoder(), std::make_shared<ByteTokenizer>());
    PerplexityScorer narrow(decoder(), std::make_shared<ByteTokenizer>(), {.batch_tokens = 1});
    const std::vector<double> values = whole.score(pairs), others = narrow.score(pairs);
    for (size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_NEAR(others[i], values[i], 1e-4 * values[i]);
        EXPECT_NEAR(perplexity_of(whole, pairs[i].hypothesis), values[i], 1e-4 * values[i]);
    }
    EXPECT_EQ(whole.score(pairs), values);  // to the last bit, whatever was asked in between
}

TEST(Perplexity, ASentenceIsScoredOnceACall) {
    const auto tokenizer = std::make_shared<ByteTokenizer>();
    PerplexityScorer scorer(decoder(), tokenizer);
    const auto values = scorer.score({{"", "A b. C d."}, {"", "C d. E f. A b."}, {"", "C d. A b."}});
    EXPECT_EQ(tokenizer->encoded, 3);
    EXPECT_EQ(values[0], values[2]);
}

TEST(Perplexity, NothingToScoreIsInfinite) {
    PerplexityScorer scorer(decoder(), std::make_shared<ByteTokenizer>());
    EXPECT_TRUE(scorer.score({}).empty());
    const auto values = scorer.score({{"x", ""}, {"x", " \n "}, {"x", "A."}});
    EXPECT_TRUE(std::isinf(values[0]) && std::isinf(values[1]) && std::isfinite(values[2]));
}

TEST(Perplexity, TokenizerOfAnotherModelIsRefused) {
    const auto tokenizer = std::make_shared<ByteTokenizer>();
    tokenizer->size = 62;
    EXPECT_THROW(PerplexityScorer(decoder(), tokenizer), Error);
}

}  // namespace craft
