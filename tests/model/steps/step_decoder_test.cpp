// Logits of a token are the same bits however the tokens before it were computed.
#include "model/steps/step_decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "core/error.h"
#include "model/kernels/bfloat16_products.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/model/steps/extensions.h"

namespace craft::test {
namespace {

using Tokens = std::vector<int64_t>;

bool same_bits(const at::Tensor& a, const at::Tensor& b) {
    const at::Tensor x = a.contiguous(), y = b.contiguous();
    return x.sizes() == y.sizes() && std::memcmp(x.const_data_ptr<float>(), y.const_data_ptr<float>(), x.nbytes()) == 0;
}

Tokens part(const Tokens& tokens, int64_t begin, int64_t end) {
    return {tokens.begin() + begin, tokens.begin() + end};
}

struct Heads {
    int64_t heads, kv_heads, head_dim;
    at::ScalarType dtype = at::kFloat;
};

class StepDecoders : public testing::TestWithParam<Heads> {
protected:
    StepDecoders() {
        config_.heads = GetParam().heads;
        config_.kv_heads = GetParam().kv_heads;
        config_.head_dim = GetParam().head_dim;
        config_.max_positions = 300;
    }
    Tokens random(int64_t count) { return random_tokens(rng_, count, config_.vocab_size); }

    Rng rng_{2, "prompts"};
    DecoderConfig config_ = small_config();
};

INSTANTIATE_TEST_SUITE_P(Heads, StepDecoders,
                         testing::Values(Heads{4, 2, 16}, Heads{9, 3, 16}, Heads{2, 2, 10}, Heads{14, 1, 8},
                                         Heads{4, 2, 16, at::kBFloat16}, Heads{9, 3, 80, at::kBFloat16},
                                         Heads{14, 1, 8, at::kBFloat16}),
                         [](const auto& heads) {
                             const std::string dtype = heads.param.dtype == at::kFloat ? "" : "Bfloat16";
                             return std::to_string(heads.param.heads) + "over" + std::to_string(heads.param.kv_heads) +
                                    dtype;
                         });

TEST_P(StepDecoders, TokensComputedTogetherOrApartAreTheSame) {
    const Decoder decoder = lively_decoder(config_, GetParam().dtype);
    const auto weights = std::make_shared<const StepWeights>(decoder);
    const Tokens tokens = random(75);
    const auto open = [&] { return StepDecoder(config_, weights, {3, 300}); };
    StepDecoder whole = open();
    const auto all = whole.extend({{.tokens = tokens}});
    EXPECT_EQ(all[0].history->length, 75);
    EXPECT_EQ(whole.computed_tokens(), 75);
    // In pieces, beside other extensions.
    for (const int64_t cut : {1, 15, 16, 40, 74}) {
        StepDecoder steps = open();
        const auto first = steps.extend({{.tokens = random(9)}, {.tokens = part(tokens, 0, cut), .wants_logits = false}});
        EXPECT_FALSE(first[1].logits.defined());
        const auto second = steps.extend({{.before = first[1].history, .tokens = part(tokens, cut, 75)},
                                          {.before = first[0].history, .tokens = random(20)}});
        EXPECT_TRUE(same_bits(second[0].logits, all[0].logits)) << cut;
        EXPECT_EQ(steps.computed_tokens(), 75 + 29);
    }
    // Token by token after a prompt.
    StepDecoder steps = open();
    steps.begin_row(1, steps.extend({{.tokens = part(tokens, 0, 30)}})[0].history);
    at::Tensor last;
    for (int64_t t = 30; t < 75; ++t) last = steps.step({1}, {tokens[static_cast<size_t>(t)]})[0];
    EXPECT_TRUE(same_bits(last, all[0].logits));
    EXPECT_EQ(steps.history_of(1)->length, 75);
    // What a row or a longer history holds is as good as what was computed at once.
    const Tokens more = random(21);
    const auto behind = [&](StepDecoder& from, std::shared_ptr<const History> history) {
        return from.extend({{.before = std::move(history), .tokens = more}})[0];
    };
    const Extended wanted = behind(whole, all[0].history);
    EXPECT_TRUE(same_bits(behind(steps, steps.history_of(1)).logits, wanted.logits));
    EXPECT_TRUE(same_bits(behind(whole, whole.beginning(wanted.history, 75, 96)).logits, wanted.logits));
    EXPECT_EQ(whole.beginning(wanted.history, 75, 96)->length, 75);
}

// Of a prompt and of tokens after it, at even and odd places, beside the pass over the whole sequence in float32. What
// bfloat16 rounds in some layers is well below a tenth of the logits' size.
TEST_P(StepDecoders, LogitsAreThoseOfTheWholePass) {
    const at::NoGradGuard no_gradients;
    const Decoder decoder = lively_decoder(config_, GetParam().dtype), wide = lively_decoder(config_, at::kFloat);
    const double most = GetParam().dtype == at::kFloat ? 1e-4 : 0.05;
    Tokens tokens = random(33);
    const auto off = [&](const at::Tensor& logits) {
        const at::Tensor hidden = wide.hidden(pack({{tokens, {{{}, {}}}}}, at::kCPU));
        const at::Tensor expected = wide.logits(hidden.narrow(0, hidden.size(0) - 1, 1)).flatten();
        return ((logits.flatten() - expected).norm() / expected.norm()).item<double>();
    };
    StepDecoder steps(decoder, 1, 300);
    const Extended begun = steps.extend({{.tokens = tokens}})[0];
    EXPECT_LT(off(begun.logits), most);
    steps.begin_row(0, begun.history);
    for (int i = 0; i < 20; ++i) {
        tokens.push_back(random(1)[0]);
        EXPECT_LT(off(steps.step({0}, {tokens.back()})), most) << i;
    }
}

TEST_P(StepDecoders, WhatAPageHeldBeforeDoesNotMatter) {
    const auto weights = std::make_shared<const StepWeights>(lively_decoder(config_, GetParam().dtype));
    for (const int64_t length : {16, 33, 40}) {
        const Tokens tokens = random(length), fed = random(3);
        std::vector<at::Tensor> seen;
        for (const bool is_dirty : {false, true}) {
            weights->pool->trim();
            std::vector<std::shared_ptr<float>> pages;
            for (int page = 0; page < 8; ++page) {
                pages.push_back(weights->pool->take());
                std::fill_n(pages.back().get(), weights->pool->shape().floats(), is_dirty ? NAN : 0.0F);
            }
            pages.clear();
            StepDecoder steps(config_, weights, {1, 300});
            const Extended begun = steps.extend({{.tokens = tokens}})[0];
            seen.push_back(begun.logits);
            steps.begin_row(0, begun.history);
            for (const int64_t token : fed) seen.push_back(steps.step({0}, {token}).clone());
        }
        for (size_t i = 0; i <= fed.size(); ++i) {
            EXPECT_TRUE(same_bits(seen[i], seen[i + fed.size() + 1])) << length << " " << i;
            EXPECT_TRUE(at::isfinite(seen[i]).all().item<bool>()) << length << " " << i;
        }
    }
}

TEST_P(StepDecoders, WhatSeveralShareIsNotWrittenByOne) {
    const Decoder decoder = lively_decoder(config_, GetParam().dtype);
    StepDecoder steps(decoder, 4, 300);
    const Tokens prompt = random(37);
    const auto begun = steps.extend({{.tokens = prompt}})[0].history;
    const Tokens fed = random(4);
    for (int64_t row = 0; row < 4; ++row) steps.begin_row(row, begun);
    std::vector<std::shared_ptr<const History>> kept;
    for (int step = 0; step < 3; ++step) {
        steps.step({0, 1, 2, 3}, fed);
        kept.push_back(steps.history_of(2));  // the row continues after it
    }
    const Tokens other = random(30);
    Tokens whole = prompt;
    for (const auto& history : kept) {
        whole.push_back(fed[2]);
        Tokens all = whole;
        all.insert(all.end(), other.begin(), other.end());
        EXPECT_TRUE(same_bits(steps.extend({{.before = history, .tokens = other}})[0].logits,
                              StepDecoder(decoder, 1, 300).extend({{.tokens = all}})[0].logits));
    }
    Tokens all = prompt;
    all.insert(all.end(), other.begin(), other.end());
    EXPECT_TRUE(same_bits(steps.extend({{.before = begun, .tokens = other}})[0].logits,
                          StepDecoder(decoder, 1, 300).extend({{.tokens = all}})[0].logits));
}

// Prompts that follow what they share in one pass, and the steps after them, beside each prompt by itself.
TEST_P(StepDecoders, RowsThatShareAreThoseOfEachAlone) {
    const Decoder decoder = lively_decoder(config_, GetParam().dtype);
    StepDecoder together(decoder, 8, 300);
    const Tokens root = random(96), inner = random(64);
    std::vector<Extension> extensions = {{.tokens = root, .wants_logits = false},
                                         {.follows = 0, .tokens = inner, .wants_logits = false}};
    std::vector<Tokens> prompts;
    for (const auto& [follows, own] :
         std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 40}, {1, 16}, {0, 77}, {0, 3}, {-1, 9}}) {
        extensions.push_back({.follows = follows, .tokens = random(own)});
        Tokens& prompt = prompts.emplace_back();
        if (follows >= 0) prompt = root;
        if (follows == 1) prompt.insert(prompt.end(), inner.begin(), inner.end());
        prompt.insert(prompt.end(), extensions.back().tokens.begin(), extensions.back().tokens.end());
    }
    const auto ready = together.extend(extensions);
    std::vector<std::unique_ptr<StepDecoder>> alone;
    std::vector<int64_t> rows;
    for (size_t row = 0; row < 8; ++row) {  // the last two are further samples
        const size_t p = row < prompts.size() ? row : row - 5;
        alone.push_back(std::make_unique<StepDecoder>(decoder, 1, 300));
        const auto by_itself = alone.back()->extend(whole({prompts[p]}));
        EXPECT_TRUE(same_bits(by_itself[0].logits, ready[2 + p].logits)) << "prompt " << p;
        alone.back()->begin_row(0, by_itself[0].history);
        together.begin_row(static_cast<int64_t>(row), ready[2 + p].history);
    }
    for (const int64_t row : {0, 1, 6, 7, 2, 3, 4, 5}) rows.push_back(row);
    for (int step = 0; step < 34; ++step) {
        if (step == 20) {  // a row ends, and another begins in its place
            together.end_row(3);
            alone[3]->end_row(0);
            together.begin_row(3, ready[2].history);
            alone[3]->begin_row(0, alone[3]->extend(whole({prompts[0]}))[0].history);
        }
        const Tokens tokens = random(8);
        const at::Tensor logits = together.step(rows, tokens);
        for (size_t i = 0; i < 8; ++i)
            ASSERT_TRUE(
                same_bits(alone[static_cast<size_t>(rows[i])]->step({0}, {tokens[i]})[0], logits[static_cast<int64_t>(i)]))
                << "step " << step << ", row " << rows[i];
    }
}

TEST_P(StepDecoders, MemoryIsThatOfThePagesHeld) {
    const Decoder decoder = lively_decoder(config_, GetParam().dtype);
    StepDecoder steps(decoder, 2, 300);
    const auto bytes_of = [](const History& history) {
        int64_t bytes = 0;
        for (const auto& [place, part] : history.parts()) bytes += part;
        return bytes;
    };
    const auto one = steps.extend({{.tokens = random(33)}})[0].history;
    EXPECT_EQ(bytes_of(*one), row_bytes(decoder, 33));
    EXPECT_EQ(row_bytes(decoder, 33), row_bytes(decoder, 48));
    const bool is_narrow = GetParam().dtype == at::kBFloat16 && has_bfloat16_products() && config_.head_dim % 16 == 0;
    EXPECT_EQ(row_bytes(decoder, 33) * (is_narrow ? 2 : 1), row_bytes(lively_decoder(config_, at::kFloat), 33));
    const auto longer = steps.extend({{.before = one, .tokens = random(16)}})[0].history;
    EXPECT_EQ(one->parts()[1], longer->parts()[1]);
    EXPECT_NE(one->parts()[2], longer->parts()[2]) << "a page that is written on is another one";
    EXPECT_EQ(longer->parts().size(), 4);
    EXPECT_EQ(steps.bytes_held(), 0);
    steps.begin_row(0, one);
    steps.begin_row(1, longer);
    EXPECT_EQ(steps.bytes_held(), 5 * bytes_of(*one) / 3) << "two of the seven are shared";
    steps.end_row(1);
    EXPECT_EQ(steps.bytes_held(), bytes_of(*one));
}

TEST_P(StepDecoders, RefuseWhatHasNoPlace) {
    const Decoder decoder = lively_decoder(config_, GetParam().dtype);
    StepDecoder steps(decoder, 1, 20);
    EXPECT_THROW(steps.extend({{.tokens = random(21)}}), Error);
    EXPECT_THROW(steps.extend({{.tokens = {}}}), Error);
    EXPECT_THROW(steps.extend({{.tokens = {1, config_.vocab_size}}}), Error);
    steps.begin_row(0, steps.extend({{.tokens = random(19)}})[0].history);
    steps.step({0}, {4});
    EXPECT_THROW(steps.step({0}, {4}), Error);
    EXPECT_THROW(steps.extend({{.tokens = random(5)}, {.follows = 0, .tokens = random(5)}}), std::logic_error);
    EXPECT_THROW(steps.extend({{.follows = 0, .tokens = random(5)}}), std::logic_error);
    // A step that came to nothing leaves the row as it was, also at the end of a page.
    const Tokens page = random(16);
    steps.begin_row(0, steps.extend({{.tokens = page}})[0].history);
    EXPECT_THROW(steps.step({0}, {config_.vocab_size}), Error);
    const auto held = steps.history_of(0);
    const at::Tensor wanted = steps.extend({{.before = held, .tokens = {3}}})[0].logits.clone();
    const at::Tensor stepped = steps.step({0}, {5})[0].clone();
    EXPECT_TRUE(same_bits(steps.extend({{.before = held, .tokens = {3}}})[0].logits, wanted));
    Tokens longer = page;
    longer.push_back(5);
    EXPECT_TRUE(same_bits(stepped, steps.extend({{.tokens = longer}})[0].logits));
}

}  // namespace
}  // namespace craft::test
