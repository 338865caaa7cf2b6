#include "model/encoder/encoder.h"

#include <torch/types.h>

#include "core/error.h"
#include "model/encoder/encoder_batch.h"
#include "model/encoder/encoder_files.h"

namespace craft {

struct Encoder::Head {
    Affine dense, out;
};

Encoder Encoder::load(const std::filesystem::path& folder, at::ScalarType dtype, const at::Device& device) {
    Encoder encoder;
    encoder.config_ = read_encoder_config(folder);
    const EncoderConfig& config = encoder.config_;
    const EncoderFamily& family = encoder_family_of(config);
    EncoderFiles files(folder, family);
    const auto stack = std::make_shared<BlockStack>();
    const auto head = std::make_shared<Head>();
    files.want(family.encoder, config, config.stack, *stack);
    if (config.regression) {
        files.want({family.score_dense}, config.hidden_size, config.hidden_size, head->dense);
        files.want({family.score_out}, 1, config.hidden_size, head->out);
    }
    files.leave_out(family.heads);
    if (!family.decoder.layers.empty()) files.leave_out({"decoder.", "shared.", "lm_head.", "final_logits_bias"});
    files.load(config.architecture, dtype, device);
    encoder.stack_ = stack;
    if (config.regression) encoder.head_ = head;
    return encoder;
}

void Encoder::keep_layers(int64_t layers) {
    if (layers < 0 || layers > config_.stack.layers)
        throw Error(config_.architecture, "a layer from 0 to " + std::to_string(config_.stack.layers),
                    std::to_string(layers));
    if (layers == config_.stack.layers) return;
    const auto kept = std::make_shared<BlockStack>(*stack_);
    kept->blocks.resize(static_cast<size_t>(layers));
    kept->sizes.layers = config_.stack.layers = layers;
    stack_ = kept;
    config_.regression = false;
    head_ = nullptr;
}

std::vector<at::Tensor> Encoder::hidden(const std::vector<EncoderRow>& rows) const {
    std::vector<std::pair<int64_t, int64_t>> sizes;  // rows whose mask hides some come after the others
    for (size_t i = 0; i < rows.size(); ++i) {
        check_row(config_, rows[i], "row " + std::to_string(i));
        sizes.emplace_back(rows[i].mask.empty() ? 0 : 1, rows[i].ids.size());
    }
    const std::vector<size_t> order = by_size(sizes);
    std::vector<at::Tensor> hidden(rows.size());
    if (rows.empty()) return hidden;
    std::vector<const EncoderRow*> ordered;
    for (const size_t i : order) ordered.push_back(&rows[i]);
    const StackInput input = encoder_input(config_, ordered, stack_->words.device());
    const at::Tensor all = stack_->forward(input, config_);
    for (size_t i = 0; i < order.size(); ++i) hidden[order[i]] = all.narrow(0, input.rows.begins[i], input.rows.lengths[i]);
    return hidden;
}

at::Tensor Encoder::scores(const std::vector<at::Tensor>& hidden) const {
    if (head_ == nullptr)
        throw Error("a score of " + config_.architecture, "a regression head (one label)", "none",
                    "BertForSequenceClassification and RobertaForSequenceClassification have one");
    if (hidden.empty()) return at::empty({0}, at::kFloat);
    const at::NoGradGuard no_gradients;
    std::vector<at::Tensor> first;
    for (const at::Tensor& row : hidden) first.push_back(row[0]);
    const int64_t rows = static_cast<int64_t>(first.size());
    first.resize(static_cast<size_t>(RaggedRows::places(rows)), first.back());
    const at::Tensor dense = at::linear(at::stack(first), head_->dense.weight, head_->dense.bias).tanh_();
    return at::linear(dense, head_->out.weight, head_->out.bias).squeeze(1).narrow(0, 0, rows).to(at::kCPU, at::kFloat);
}

}  // namespace craft
