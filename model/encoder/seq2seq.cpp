#include "model/encoder/seq2seq.h"

#include <torch/types.h>

#include <algorithm>

#include "core/error.h"
#include "model/encoder/encoder_batch.h"
#include "model/encoder/encoder_files.h"

namespace craft {

namespace {

constexpr int64_t kChunkLogits = int64_t{1} << 22;  // elements of one chunk of logits

// log softmax(h W^T + bias)[target] of all rows, float32 [rows], by chunks.
at::Tensor logprobs_of(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& bias, const at::Tensor& targets) {
    at::Tensor out = at::empty({hidden.size(0)}, hidden.options().dtype(at::kFloat));
    const int64_t step = std::max<int64_t>(16, kChunkLogits / head.size(0) / 16 * 16);
    for (int64_t begin = 0; begin < hidden.size(0); begin += step) {
        const int64_t n = std::min(step, hidden.size(0) - begin);
        at::Tensor logits = at::mm(hidden.narrow(0, begin, n), head.t()).to(at::kFloat);
        if (bias.defined()) logits.add_(bias);
        const at::Tensor chosen = logits.gather(1, targets.narrow(0, begin, n).unsqueeze(1)).squeeze(1);
        out.narrow(0, begin, n).copy_(chosen - at::logsumexp(logits, {1}));
    }
    return out;
}

// The target shifted right after the start token.
EncoderRow decoder_row(const std::vector<int64_t>& target, int64_t start) {
    EncoderRow row{{start}};
    row.ids.insert(row.ids.end(), target.begin(), target.end() - 1);
    return row;
}

}  // namespace

void check_row(const Seq2SeqConfig& config, const Seq2SeqRow& row, const std::string& where) {
    check_row(config.encoder, row.source, where + ": source");
    check_row(config.encoder, EncoderRow{row.target}, where + ": target");
}

Seq2Seq Seq2Seq::load(const std::filesystem::path& folder, at::ScalarType dtype, const at::Device& device) {
    Seq2Seq model;
    model.config_ = read_seq2seq_config(folder);
    const Seq2SeqConfig& c = model.config_;
    const EncoderConfig& config = c.encoder;
    const EncoderFamily& family = encoder_family_of(config);
    EncoderFiles files(folder, family);
    const auto encoder = std::make_shared<BlockStack>(), decoder = std::make_shared<BlockStack>();
    files.want(family.encoder, config, config.stack, *encoder);
    files.want(family.decoder, config, c.decoder, *decoder);
    // Where weights are tied the head is the body's own matrix.
    std::vector<std::string> heads = {"lm_head", family.prefix + "shared"};
    for (const std::string& name : family.decoder.words) heads.push_back(family.prefix + name);
    files.want_words(heads, {config.vocab_size, config.hidden_size}, config.tied_embeddings, model.head_);
    if (files.has("final_logits_bias")) files.want("final_logits_bias", {1, config.vocab_size}, model.logits_bias_);
    files.leave_out(family.heads);
    files.load(config.architecture, dtype, device);
    if (model.logits_bias_.defined()) model.logits_bias_ = model.logits_bias_.to(at::kFloat);
    model.encoder_ = encoder;
    model.decoder_ = decoder;
    return model;
}

std::vector<at::Tensor> Seq2Seq::target_logprobs(const std::vector<Seq2SeqRow>& rows) const {
    std::vector<std::pair<int64_t, int64_t>> sizes;
    for (size_t i = 0; i < rows.size(); ++i) {
        check_row(config_, rows[i], "row " + std::to_string(i));
        sizes.emplace_back(rows[i].source.ids.size(), rows[i].target.size());
    }
    const std::vector<size_t> order = by_size(sizes);
    std::vector<at::Tensor> logprobs(rows.size());
    if (rows.empty()) return logprobs;
    const at::NoGradGuard no_gradients;
    const at::Device device = head_.device();
    std::vector<const EncoderRow*> sources, targets;
    std::vector<EncoderRow> shifted;
    std::vector<int64_t> wanted;
    for (const size_t i : order) {
        sources.push_back(&rows[i].source);
        shifted.push_back(decoder_row(rows[i].target, config_.start_token));
        wanted.insert(wanted.end(), rows[i].target.begin(), rows[i].target.end());
        wanted.resize(static_cast<size_t>(RaggedRows::places(static_cast<int64_t>(wanted.size()))), 0);
    }
    for (const EncoderRow& row : shifted) targets.push_back(&row);
    const StackInput source = encoder_input(config_.encoder, sources, device),
                     target = encoder_input(config_.encoder, targets, device);
    const at::Tensor memory = encoder_->forward(source, config_.encoder);
    const Memory seen{memory, source.rows};
    const at::Tensor hidden = decoder_->forward(target, config_.encoder, &seen);
    const at::Tensor all = logprobs_of(hidden, head_, logits_bias_, at::tensor(wanted, at::kLong).to(device)).to(at::kCPU);
    for (size_t i = 0; i < order.size(); ++i)
        logprobs[order[i]] = all.narrow(0, target.rows.begins[i], target.rows.lengths[i]);
    return logprobs;
}

}  // namespace craft
