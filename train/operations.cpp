#include "train/operations.h"

#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "model/kernels/products.h"
#include "model/spec/lora_targets.h"

namespace craft {

namespace {

// Query-key pairs of `queries` causal queries after `before` keys, of which a window sees the last ones only.
double key_count(int64_t before, int64_t queries, int64_t window) {
    double count = 0;
    for (int64_t i = 1; i <= queries; ++i)
        count += static_cast<double>(window > 0 ? std::min(before + i, window) : before + i);
    return count;
}

// [size, size]: a few random rows, repeated where they will be used, since to draw all takes longer than what is measured.
at::Tensor noise(int64_t size, uint64_t seed, const at::Device& device, at::ScalarType dtype) {
    const at::Tensor rows = at::randn({64, size}, at::make_generator<at::CPUGeneratorImpl>(seed));
    return rows.to(device, dtype).repeat({size / 64, 1});
}

}  // namespace

int64_t forward_layers_of(const LoraOptions& adapter, int64_t layers) {
    const std::vector<int64_t> adapted = adapted_layers(adapter, layers);
    const bool is_everywhere = adapted.empty() || !adapter.saved_modules.empty();
    return is_everywhere ? 0 : std::max<int64_t>(0, *std::min_element(adapted.begin(), adapted.end()));
}

namespace {

// Operations that a token costs for each weight, and a query-key pair for each dimension of its heads.
struct Rates {
    double weight, pair;
};
constexpr Rates kForward = {2, 4};  // two products of attention

// Each product forward, for its input's gradient and with `full` for its weight's; attention's two forward, five backward.
Rates training_rates(bool full) {
    return {full ? 6.0 : 4.0, 14};
}

// Of an encoder-decoder: the encoder's layers compute the source, the decoder's the answers, and of the source keys and
// values.
double answering_operations(const DecoderConfig& c, const TokenTree& tree, const Rates& rates, double targets) {
    const int64_t common = tree.common();
    const auto source = static_cast<double>(tree.prefix.size());
    double answers = static_cast<double>(tree.size()) - source, pairs = key_count(0, common, 0) + answers * source;
    for (const MaskedTokens& branch : tree.branches)
        pairs += key_count(common, static_cast<int64_t>(branch.tokens.size()) - common, 0);
    const auto hidden = static_cast<double>(c.hidden_size), heads = static_cast<double>(c.heads * c.head_dim);
    const double feed_forward = (c.gated ? 3 : 2) * hidden * static_cast<double>(c.intermediate_size);
    const double projections = 4 * hidden * heads, layers = static_cast<double>(c.layers);
    const double of_encoder = static_cast<double>(c.encoder_layers) *
                              (rates.weight * source * (projections + feed_forward) + rates.pair * heads * source * source);
    const double of_decoder =
        layers *
        (rates.weight * (answers * (projections + 2 * hidden * heads + feed_forward) + source * 2 * hidden * heads) +
         rates.pair * heads * pairs);
    return of_encoder + of_decoder + rates.weight * targets * static_cast<double>(c.vocab_size) * hidden;
}

// At these rates, in the first `forward_layers` layers at those of a forward pass.
double tree_operations(const DecoderConfig& c, const TokenTree& tree, const Rates& rates, int64_t forward_layers) {
    const int64_t common = tree.common(), prefix = static_cast<int64_t>(tree.prefix.size()) + common;
    double targets = 0, attention = 0, products = 0;
    for (const MaskedTokens& branch : tree.branches)
        targets += static_cast<double>(std::count(branch.counted.begin(), branch.counted.end(), uint8_t{1}));
    if (c.is_encoder_decoder()) return answering_operations(c, tree, rates, targets);
    for (int64_t layer = 0; layer < c.layers; ++layer) {
        double pairs = key_count(0, prefix, c.window(layer));
        for (const MaskedTokens& branch : tree.branches)
            pairs += key_count(prefix, static_cast<int64_t>(branch.tokens.size()) - common, c.window(layer));
        const Rates& of_this = layer < forward_layers ? kForward : rates;
        attention += of_this.pair * pairs;
        products += of_this.weight;
    }
    const auto hidden = static_cast<double>(c.hidden_size), head = static_cast<double>(c.head_dim);
    const double heads = static_cast<double>(c.heads) * head, kv = static_cast<double>(c.kv_heads) * head;
    const double of_layer =
        hidden * (2 * heads + 2 * kv) + (c.gated ? 3 : 2) * hidden * static_cast<double>(c.intermediate_size);
    return products * static_cast<double>(tree.size()) * of_layer +
           rates.weight * targets * static_cast<double>(c.vocab_size) * hidden + heads * attention;
}

}  // namespace

double training_operations(const DecoderConfig& c, const TokenTree& tree, bool full, int64_t forward_layers) {
    return tree_operations(c, tree, training_rates(full), forward_layers);
}

double forward_operations(const DecoderConfig& c, const TokenTree& tree) {
    return tree_operations(c, tree, kForward, 0);
}

double generation_operations(const DecoderConfig& c, double prompt, double new_tokens) {
    const auto hidden = static_cast<double>(c.hidden_size), head = static_cast<double>(c.head_dim);
    const double heads = static_cast<double>(c.heads) * head, kv = static_cast<double>(c.kv_heads) * head;
    const double of_layer =
        hidden * (2 * heads + 2 * kv) + (c.gated ? 3 : 2) * hidden * static_cast<double>(c.intermediate_size);
    const double tokens = prompt + new_tokens;
    double pairs = 0;
    for (int64_t layer = 0; layer < c.layers; ++layer) pairs += key_count(0, std::llround(tokens), c.window(layer));
    return 2 * static_cast<double>(c.layers) * tokens * of_layer + 4 * heads * pairs +
           2 * new_tokens * hidden * static_cast<double>(c.vocab_size);
}

double product_rate(const at::Device& device, at::ScalarType dtype) {
    const at::NoGradGuard no_gradients;
    const int64_t size = device.is_cpu() ? 1024 : 8192;
    const int products = device.is_cpu() ? 1 : 4;  // of a turn: to wait for a GPU takes time, too
    const at::Tensor a = noise(size, 1, device, dtype), b = noise(size, 2, device, dtype);
    double best = 0;
    for (int turn = 0; turn < 6; ++turn) {
        const auto begin = std::chrono::steady_clock::now();
        at::Tensor c;
        for (int i = 0; i < products; ++i) c = product(a, b);
        c[0][0].item<double>();  // waits for the device
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        best = std::max(best, 2.0 * products * static_cast<double>(size * size * size) / seconds);
    }
    return best;
}

}  // namespace craft
