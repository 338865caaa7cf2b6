#include "model/decoder/layer_rows.h"

#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/signals.h"
#include "model/kernels/attention.h"
#include "model/kernels/ops.h"
#include "model/kernels/threads.h"

namespace craft {

at::Tensor hidden_after(const Decoder& decoder, const PackedBatch& batch, const LayerRows& before, LayerRows* kept) {
    const at::NoGradGuard no_grad;
    adapt_threads();
    const DecoderConfig& config = decoder.config();
    if (config.is_encoder_decoder())
        throw Error(config.architecture, "a decoder alone, which continues texts", "an encoder-decoder");
    const int64_t known = before.size(), own = batch.token_count();
    const at::Tensor positions = known == 0 ? batch.positions : at::cat({before.positions, batch.positions});
    const RotaryTable table =
        rotary_table(positions, rotary_frequencies(config, 1), config.rope.attention_factor, decoder.dtype());
    // Attention of several kinds wants segments for all rows; that of the rows before costs little beside the products.
    std::vector<Segment> segments = before.segments;
    segments.insert(segments.end(), batch.segments.begin(), batch.segments.end());
    if (kept != nullptr) *kept = {batch.positions, batch.segments, {}};
    at::Tensor x = decoder.embed(batch.tokens, batch.positions);
    for (int64_t i = 0; i < config.layers; ++i) {
        throw_if_stopped();
        const auto layer = static_cast<size_t>(i);
        x = decoder.layer(layer, x, [&](const at::Tensor& qkv) {
            if (kept != nullptr) kept->qkv.push_back(qkv);
            const at::Tensor rows = known == 0 ? qkv : at::cat({before.qkv.at(layer), qkv});
            return packed_attention(rows, table, attention_shape(config, i), segments).narrow(0, known, own);
        });
    }
    return normalise(x, decoder.final_norm(), config);
}

}  // namespace craft
