// LoRA adapters on a decoder, in PEFT's folder layout.
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "model/decoder/adapter_files.h"
#include "model/spec/adapter_config.h"
#include "model/spec/architecture.h"
#include "model/spec/lora_targets.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Where the weights of each linear group stand, their dropout is that of the adapter.
void set_dropout_rate(Decoder& decoder, double rate) {
    for (DecoderLayer& layer : DecoderWeights::layers(decoder))
        for (Linear DecoderLayer::*const member : kLayerLinears) (layer.*member).lora_dropout = rate;
}

at::ScalarType adapter_dtype(const Decoder& decoder) {
    return decoder.dtype() == at::kDouble ? at::kDouble : at::kFloat;
}

at::Tensor uniform(const std::vector<int64_t>& shape, double bound, Rng& rng) {
    at::Tensor a = at::empty(shape, at::kFloat);
    float* values = a.mutable_data_ptr<float>();
    for (int64_t i = 0; i < a.numel(); ++i) values[i] = static_cast<float>((2 * rng.uniform() - 1) * bound);
    return a;
}

// Weights that hold a replaced tensor are this decoder's own from here on; others may share those of the base.
void replace(const Replacement& replacement, at::ScalarType dtype, std::set<const at::Tensor*>& own) {
    const at::NoGradGuard no_gradients;
    const WeightSlot& slot = replacement.slot;
    if (slot.linear != nullptr && !slot.linear->quantized.empty()) {  // what an adapter brings is not in few bits
        slot.linear->weight = slot.linear->base_weight(dtype);
        slot.linear->quantized.clear();
        own.insert(slot.place);
    }
    if (own.insert(slot.place).second) *slot.place = slot.place->detach().clone();
    slot.place->narrow(0, slot.first, slot.shape[0]).copy_(replacement.tensor);
}

bool changes(const Replacement& replacement) {
    const WeightSlot& slot = replacement.slot;
    if (!slot.place->defined()) return true;  // in few bits
    const at::Tensor now = slot.place->detach().narrow(0, slot.first, slot.shape[0]);
    return !at::equal(now, replacement.tensor.to(now.device(), now.scalar_type()));
}

// Projections of one input are one matrix: training some of them only would train the others.
void check_trains_whole(const std::vector<WeightSlot>& saved, const std::string& where) {
    std::map<const at::Tensor*, int64_t> rows;
    for (const WeightSlot& slot : saved) rows[slot.place] += slot.shape[0];
    for (const WeightSlot& slot : saved)
        if (rows[slot.place] != slot.whole[0])
            throw Error(where + ": modules_to_save", "q, k, v (and gate, up) together, to train them",
                        "'" + slot.name + "' without the others");
}

// The head's product is computed by chunks of rows, without a mask.
void check_dropout(const LoraOptions& options, const AdapterPlan& plan, const Projection& head, const std::string& where) {
    const bool has_head =
        std::any_of(plan.parts.begin(), plan.parts.end(), [&](const AdapterPart& part) { return part.place == &head; });
    if (options.dropout > 0 && has_head)
        throw Error(where + ": lora_dropout", "0, where the head is a target and trained", std::to_string(options.dropout));
}

}  // namespace

void Decoder::add_adapter(const LoraOptions& given, Rng& rng) {
    check_lora_options(given, "a new adapter");
    if (adapter_) throw Error("adding an adapter", "a decoder without one", "one with an adapter");
    if (!trainable().empty()) throw Error("adding an adapter", "a frozen decoder", "one that trains all its weights");
    if (!given.saved_modules.empty()) throw Error("adding an adapter", "no modules_to_save", given.saved_modules.front());
    const LoraOptions options = resolved_for(config_, given);
    const auto place = at::TensorOptions().dtype(adapter_dtype(*this)).device(device());
    const AdapterPlan plan = plan_adapter(*this, options, "a new adapter");
    check_dropout(options, plan, head_lora_, "a new adapter");
    auto before = std::make_shared<const Decoder>(*this);
    for (const AdapterPart& part : plan.parts) {
        const std::vector<int64_t> a_shape = {part.rank, part.columns}, b_shape = {part.place->rows, part.rank};
        // PEFT's start: Kaiming uniform with a = sqrt(5) is uniform within 1 / sqrt(columns). An embedding's A is zero and
        // its B normal.
        const at::Tensor a =
            part.is_embedding ? at::zeros(a_shape) : uniform(a_shape, 1 / std::sqrt(static_cast<double>(part.columns)), rng);
        at::Tensor b = at::zeros(b_shape);
        for (int64_t i = 0; part.is_embedding && i < b.numel(); ++i)
            b.mutable_data_ptr<float>()[i] = static_cast<float>(rng.normal());
        part.place->lora_a = a.to(place).requires_grad_(true);
        part.place->lora_b = b.to(place).requires_grad_(true);
        part.place->lora_scale = part.scale;
    }
    set_dropout_rate(*this, options.dropout);
    before_adapter_ = std::move(before);
    adapter_ = options;
}

void Decoder::load_adapter(const fs::path& folder, bool is_trainable) {
    if (adapter_) throw Error(folder.string(), "a decoder without an adapter", "one with an adapter");
    LoraOptions options = read_adapter_config(folder);
    // PEFT knows the shorthand as a string only; what continues training is written with names.
    if (options.targets == std::vector<std::string>{"all-linear"}) options = resolved_for(config_, options);
    const std::string where = (folder / "adapter_config.json").string();
    AdapterFile file(folder, options);
    Decoder filled = *this;  // only a whole adapter is attached
    const AdapterPlan plan = plan_adapter(filled, options, where);
    if (is_trainable) check_trains_whole(plan.saved, where);
    if (is_trainable) check_dropout(options, plan, filled.head_lora_, where);
    const auto kept = [&](const at::Tensor& tensor) {
        return tensor.to(device(), adapter_dtype(*this), /*non_blocking=*/false, /*copy=*/true).requires_grad_(is_trainable);
    };
    for (const AdapterPart& part : plan.parts) {
        part.place->lora_a = kept(file.take(part.a_name(), {part.rank, part.columns}));
        part.place->lora_b = kept(file.take(part.b_name(), {part.place->rows, part.rank}));
        part.place->lora_scale = part.scale;
    }
    std::set<const at::Tensor*> own;
    for (const Replacement& one : take_replacements(filled, plan, file)) {
        const bool is_saved = std::any_of(plan.saved.begin(), plan.saved.end(),
                                          [&](const WeightSlot& slot) { return slot.name == one.slot.name; });
        if (!is_saved && !changes(one)) continue;
        replace(one, filled.dtype(), own);
        filled.replaced_.emplace_back(one.slot.name, one.name);
    }
    if (filled.config_.tied_embeddings) filled.head_ = filled.embedding_;
    for (const WeightSlot& slot : plan.saved) slot.place->requires_grad_(is_trainable);
    set_dropout_rate(filled, options.dropout);
    if (is_trainable) filled.before_adapter_ = std::make_shared<const Decoder>(*this);
    filled.adapter_ = options;
    *this = std::move(filled);
}

Decoder Decoder::without_adapter() const {
    if (!adapter_) return *this;
    if (!before_adapter_) throw Error("a decoder without its adapter", "an adapter that is trained", "a frozen one");
    return *before_adapter_;
}

void Decoder::save_adapter(const fs::path& folder) const {
    if (!adapter_) throw Error(folder.string(), "a decoder with an adapter", "one without");
    ensure_folder(folder);
    Decoder views = *this;  // shares the tensors
    NamedTensors tensors;
    for (const AdapterPart& part : plan_adapter(views, *adapter_, folder.string()).parts) {
        tensors.emplace_back(kAdapterPrefix + part.a_name(), part.place->lora_a.detach().to(at::kCPU, at::kFloat));
        tensors.emplace_back(kAdapterPrefix + part.b_name(), part.place->lora_b.detach().to(at::kCPU, at::kFloat));
    }
    for (const auto& [name, tensor] : DecoderWeights::named(*this))
        for (const auto& [slot, stored] : replaced_)
            if (slot == name) tensors.emplace_back(kAdapterPrefix + stored, tensor.to(at::kCPU));
    const bool has_new_embedding = std::any_of(replaced_.begin(), replaced_.end(), [&](const auto& pair) {
        return pair.first == embedding_lora_.name + ".weight";
    });
    if (adapter_->ensure_weight_tying && config_.tied_embeddings && has_new_embedding)  // PEFT asks for both
        tensors.emplace_back(kAdapterPrefix + head_lora_.name + ".weight", embedding_.detach().to(at::kCPU).clone());
    write_safetensors(folder / "adapter_model.safetensors", tensors);
    write_json_file(
        folder / "adapter_config.json",
        adapter_config_json(*adapter_, base_name_, architecture_of(config_).names.transposed, config_.is_encoder_decoder()));
}

}  // namespace craft
