#include "model/steps/steps.h"

#include <algorithm>
#include <limits>

#include "model/decoder/decoder_files.h"
#include "model/kernels/rotary.h"
#include "model/steps/answer_steps.h"
#include "model/steps/step_decoder.h"
#include "model/steps/torch_steps.h"
#include "model/weights/device_memory.h"

namespace craft {

bool runs_on_step_decoder(const Decoder& decoder, int64_t positions) {
    const DecoderConfig& c = decoder.config();
    const bool in_window =
        std::all_of(c.windows.begin(), c.windows.end(), [&](int64_t w) { return w == 0 || w >= positions; });
    return decoder.device().is_cpu() && in_window && c.gated && c.activation == Activation::silu && !c.layer_norms &&
           !c.is_encoder_decoder() && !c.norms_from_one && !c.output_norms && !c.learned_positions &&
           c.embedding_scale == 1 && c.attention_scale == 0 && c.attention_cap == 0 && c.logit_cap == 0 &&
           rotary_regime(c, positions) == rotary_regime(c, 1);
}

std::unique_ptr<Steps> StepSource::open(const StepSizes& sizes) {
    if (decoder_.config().is_encoder_decoder()) return std::make_unique<AnswerSteps>(decoder_, sizes);
    if (!runs_on_step_decoder(decoder_, sizes.positions)) return std::make_unique<TorchSteps>(decoder_, sizes);
    if (!weights_) {
        Decoder whole = decoder_;
        if (is_own_ && runs_on_step_decoder(decoder_, std::numeric_limits<int64_t>::max())) DecoderWeights::forget(decoder_);
        weights_ = std::make_shared<const StepWeights>(std::move(whole));
    }
    return std::make_unique<StepDecoder>(decoder_.config(), weights_, sizes);
}

int64_t StepSource::row_bytes(int64_t positions) const {
    return craft::row_bytes(decoder_, positions);
}

int64_t StepSource::default_cache_bytes() const {
    return craft::default_cache_bytes(decoder_.device());
}

int64_t default_cache_bytes(const at::Device& device) {
    if (device.is_cpu()) return int64_t{2} << 30;
    return free_memory(device) / 2;
}

int64_t row_bytes(const Decoder& decoder, int64_t positions) {
    const DecoderConfig& c = decoder.config();
    if (runs_on_step_decoder(decoder, positions)) {
        const PageShape page = page_shape(c, decoder.dtype());
        return padded(positions) / kLanes * page.floats() * static_cast<int64_t>(sizeof(float));
    }
    return positions * 2 * c.layers * c.kv_heads * c.head_dim * static_cast<int64_t>(c10::elementSize(decoder.dtype()));
}

}  // namespace craft
