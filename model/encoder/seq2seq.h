// An encoder-decoder (BART): log-probabilities of a target's tokens given a source.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "model/encoder/encoder.h"
#include "model/spec/encoder_config.h"

namespace craft {

struct Seq2SeqRow {
    EncoderRow source;
    std::vector<int64_t> target;
};

// As check_row for the source; the target needs a token, ids of the vocabulary and no more than there are positions.
void check_row(const Seq2SeqConfig& config, const Seq2SeqRow& row, const std::string& where);

class Seq2Seq {
public:
    // Throws Error naming file and key or tensor.
    static Seq2Seq load(const std::filesystem::path& folder, at::ScalarType dtype, const at::Device& device);
    const Seq2SeqConfig& config() const { return config_; }

    // log p(target[t] | source, target[0 .. t-1]) of each row: float32 [tokens of the target] on the CPU. The decoder's
    // input is the target shifted right after the start token. Throws Error as check_row does, naming "row N" from 0. No
    // gradients.
    std::vector<at::Tensor> target_logprobs(const std::vector<Seq2SeqRow>& rows) const;

private:
    Seq2SeqConfig config_;
    std::shared_ptr<const BlockStack> encoder_, decoder_;
    at::Tensor head_;         // [vocabulary, hidden]
    at::Tensor logits_bias_;  // [1, vocabulary] float32; undefined: none
};

}  // namespace craft
