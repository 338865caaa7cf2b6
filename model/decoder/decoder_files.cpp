#include "model/decoder/decoder_files.h"

#include <torch/types.h>

#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/model_files.h"
#include "core/signals.h"
#include "model/decoder/loading_memory.h"
#include "model/kernels/quantizer.h"
#include "model/spec/architecture.h"
#include "model/weights/quantized_files.h"
#include "model/weights/weight_files.h"

namespace craft {

namespace fs = std::filesystem;

std::vector<LinearGroup> linear_groups(const DecoderConfig& c, size_t layer) {
    const TensorNames& names = layer_names(c, static_cast<int64_t>(layer));
    const std::vector<std::string>& up = up_names(names, c.gated);
    const int64_t q = c.heads * c.head_dim, kv = c.kv_heads * c.head_dim, inner = c.intermediate_size;
    // One tensor for several projections has their rows in the same order.
    std::vector<int64_t> qkv_rows = {q, kv, kv}, gate_up_rows = {inner, inner};
    if (names.qkv.size() == 1) qkv_rows = {q + 2 * kv};
    if (up.size() == 1) gate_up_rows = {c.gated ? 2 * inner : inner};
    std::vector<LinearGroup> groups = {{&DecoderLayer::qkv, names.qkv, qkv_rows, c.hidden_size, c.qkv_bias},
                                       {&DecoderLayer::o, names.o, {c.hidden_size}, q, c.o_bias}};
    if (!names.cross_q.empty()) {
        groups.push_back({&DecoderLayer::cross_q, names.cross_q, {q}, c.hidden_size, c.qkv_bias});
        groups.push_back({&DecoderLayer::cross_kv, names.cross_kv, {kv, kv}, c.hidden_size, c.qkv_bias});
        groups.push_back({&DecoderLayer::cross_o, names.cross_o, {c.hidden_size}, q, c.o_bias});
    }
    groups.push_back({&DecoderLayer::gate_up, up, gate_up_rows, c.hidden_size, c.mlp_bias});
    groups.push_back({&DecoderLayer::down, names.down, {c.hidden_size}, inner, c.mlp_bias});
    return groups;
}

Decoder DecoderWeights::empty(const DecoderConfig& config) {
    Decoder decoder;
    decoder.config_ = config;
    decoder.layers_.resize(static_cast<size_t>(config.encoder_layers + config.layers));
    const TensorNames& names = architecture_of(config).names;
    decoder.embedding_lora_ = {names.prefix + names.embedding, 0, config.hidden_size, {}, {}};
    decoder.head_lora_ = {names.head, 0, config.vocab_size, {}, {}};
    for (size_t i = 0; i < decoder.layers_.size(); ++i) {
        const std::string prefix = layer_prefix(config, static_cast<int64_t>(i));
        for (const LinearGroup& group : linear_groups(config, i)) {
            int64_t first = 0;
            for (size_t p = 0; p < group.projections.size(); ++p) {
                (decoder.layers_[i].*group.member)
                    .projections.push_back({prefix + group.projections[p], first, group.rows[p], {}, {}});
                first += group.rows[p];
            }
        }
    }
    return decoder;
}

std::vector<WeightSlot> DecoderWeights::slots(Decoder& decoder) {
    const DecoderConfig& c = decoder.config_;
    const TensorNames& names = architecture_of(c).names;
    std::vector<WeightSlot> slots;
    const auto add = [&](const std::string& name, at::Tensor& place, const std::vector<int64_t>& shape) {
        slots.push_back({name, shape, &place, 0, shape, false, nullptr});
    };
    const auto add_norm = [&](const std::string& name, Norm& norm, int64_t size) {
        add(name + ".weight", norm.weight, {size});
        if (c.layer_norms) add(name + ".bias", norm.bias, {size});
    };
    add(names.prefix + names.embedding + ".weight", decoder.embedding_, {c.vocab_size, c.hidden_size});
    if (c.learned_positions)
        add(names.prefix + names.positions + ".weight", decoder.positions_,
            {c.first_position + c.max_positions, c.hidden_size});
    for (size_t i = 0; i < decoder.layers_.size(); ++i) {
        DecoderLayer& layer = decoder.layers_[i];
        const auto number = static_cast<int64_t>(i);
        const TensorNames& own = layer_names(c, number);
        const std::string prefix = layer_prefix(c, number);
        if (c.position_buckets > 0 && (number == 0 || number == c.encoder_layers))
            add(prefix + own.position_bias + ".weight",
                number < c.encoder_layers ? decoder.encoder_bias_ : decoder.position_bias_, {c.position_buckets, c.heads});
        add_norm(prefix + own.before_attention, layer.before_attention, c.hidden_size);
        if (!own.before_cross.empty()) add_norm(prefix + own.before_cross, layer.before_cross, c.hidden_size);
        add_norm(prefix + own.before_feed_forward, layer.before_feed_forward, c.hidden_size);
        if (c.output_norms) {
            add_norm(prefix + own.after_attention, layer.after_attention, c.hidden_size);
            add_norm(prefix + own.after_feed_forward, layer.after_feed_forward, c.hidden_size);
        }
        if (c.qk_norms) {
            add_norm(prefix + own.q_norm, layer.q_norm, c.head_dim);
            add_norm(prefix + own.k_norm, layer.k_norm, c.head_dim);
        }
        for (const LinearGroup& group : linear_groups(c, i)) {
            Linear& linear = layer.*group.member;
            const int64_t rows = linear.projections.back().first + linear.projections.back().rows;
            for (const Projection& part : linear.projections) {
                slots.push_back({part.name + ".weight",
                                 {part.rows, group.columns},
                                 &linear.weight,
                                 part.first,
                                 {rows, group.columns},
                                 names.transposed,
                                 &linear});
                if (group.has_bias)
                    slots.push_back({part.name + ".bias", {part.rows}, &linear.bias, part.first, {rows}, false, nullptr});
            }
        }
    }
    if (const TensorNames& encoder = architecture_of(c).encoder; c.is_encoder_decoder())
        add_norm(encoder.prefix + encoder.final_norm, decoder.encoder_norm_, c.hidden_size);
    add_norm(names.prefix + names.final_norm, decoder.final_norm_, c.hidden_size);
    if (!c.tied_embeddings) add(names.head + ".weight", decoder.head_, {c.vocab_size, c.hidden_size});
    return slots;
}

void DecoderWeights::forget(Decoder& decoder) {
    for (DecoderLayer& layer : decoder.layers_)
        for (Linear DecoderLayer::*const member : kLayerLinears) layer.*member = {};
    if (!decoder.config_.tied_embeddings) decoder.head_ = at::Tensor();
}

void DecoderWeights::untie(Decoder& decoder) {
    decoder.config_.tied_embeddings = false;
    // T5's flag says whether states are scaled before the head; its head is tied where files have none.
    Json& source = decoder.config_.source;
    if (!source.is_null() && !decoder.config_.is_encoder_decoder()) source["tie_word_embeddings"] = false;
}

NamedTensors DecoderWeights::named(const Decoder& decoder) {
    Decoder views = decoder;  // shares the tensors
    NamedTensors tensors;
    for (const WeightSlot& slot : slots(views)) {
        if (!slot.place->defined()) continue;  // in few bits
        const at::Tensor part = slot.place->detach().narrow(0, slot.first, slot.shape[0]);
        tensors.emplace_back(slot.name, slot.transposed ? part.t() : part);
    }
    return tensors;
}

namespace {

std::vector<int64_t> stored_shape(const WeightSlot& slot) {
    return slot.transposed ? std::vector<int64_t>{slot.shape[1], slot.shape[0]} : slot.shape;
}

}  // namespace

std::string name_in(const WeightFiles& files, const WeightSlot& slot, const DecoderConfig& config) {
    const TensorNames& names = architecture_of(config).names;
    const std::string bare = names.embedding + ".weight", whole = names.prefix + bare, head = names.head + ".weight";
    if (files.has(whole)) return slot.name;
    for (const std::string& copy : names.copies)
        if (slot.name == whole && files.has(copy + ".weight")) return copy + ".weight";
    if (files.has(bare)) return slot.name.starts_with(names.prefix) ? slot.name.substr(names.prefix.size()) : slot.name;
    return config.tied_embeddings && slot.name == whole && files.has(head) ? head : slot.name;
}

std::vector<std::string> mapped_names(const WeightFiles& files, const std::vector<WeightSlot>& slots,
                                      const at::Tensor* place, const DecoderConfig& config, at::ScalarType dtype,
                                      const at::Device& device) {
    if (!device.is_cpu()) return {};
    std::vector<std::string> names;
    for (const WeightSlot& slot : slots) {
        if (slot.place != place) continue;
        if (slot.transposed) return {};
        names.push_back(name_in(files, slot, config));
    }
    return files.are_neighbours(names, dtype) ? names : std::vector<std::string>();
}

DecoderConfig settled_config(const fs::path& folder, const WeightFiles& files) {
    DecoderConfig config = read_decoder_config(folder);
    const TensorNames& names = architecture_of(config).names;
    const std::string head = names.head + ".weight";
    WeightSlot slot;
    slot.name = names.prefix + names.embedding + ".weight";
    const std::string embedding = name_in(files, slot, config);
    if (config.is_encoder_decoder() && !files.has(head)) config.tied_embeddings = true;
    if (!config.tied_embeddings || !files.has(head) || !files.has(embedding) || files.equal(head, embedding)) return config;
    log_warning(folder.string() + ": tie_word_embeddings, but " + head + " is another matrix: it is used");
    config.tied_embeddings = false;
    if (!config.is_encoder_decoder()) config.source["tie_word_embeddings"] = false;
    return config;
}

void expect_slots(WeightFiles& files, const DecoderConfig& config, const std::vector<WeightSlot>& slots) {
    for (const WeightSlot& slot : slots) {
        const std::string name = name_in(files, slot, config);
        if (slot.linear != nullptr && has_nf4(files, name))
            expect_nf4(files, name, slot.shape[0], slot.shape[1]);
        else
            files.expect(name, stored_shape(slot));
    }
    const TensorNames& names = architecture_of(config).names;
    std::vector<std::string> ignored = names.ignored;
    if (config.tied_embeddings) ignored.push_back(names.head + ".weight");
    files.expect_no_others(ignored, config.architecture);
}

namespace {

// Those of which any projection is to be held in few bits, or is stored so. Throws Error where a folder's own 4 bits would
// have to become something else.
std::set<const Linear*> linears_in_few_bits(const std::vector<WeightSlot>& slots, const WeightFiles& files,
                                            const DecoderConfig& config, Quantization quantization) {
    std::set<const Linear*> narrow;
    bool any_blocks = false;
    for (const WeightSlot& slot : slots) {
        if (slot.linear == nullptr) continue;
        const std::string name = name_in(files, slot, config);
        const bool is_stored = has_nf4(files, name);
        if (is_stored && quantization != Quantization::none && quantization != Quantization::nf4)
            throw Error("--quantize", "none or nf4 for a folder that is stored in NF4", name_of(quantization));
        if (is_stored || quantization != Quantization::none) narrow.insert(slot.linear);
        any_blocks |= files.has(name) && files.has_blocks(name);
    }
    if (quantization == Quantization::blocks && !any_blocks)
        throw Error("--quantize", "a GGUF file with weights in blocks", "a model without any", "none, int8 or nf4");
    return narrow;
}

// One tensor in the file at a time: beside what is kept, memory for a few of its rows is taken.
QuantizedWeight read_in_few_bits(const WeightFiles& files, const std::string& name, const WeightSlot& slot,
                                 at::ScalarType dtype, const at::Device& device, Quantization quantization) {
    if (has_nf4(files, name)) return read_nf4(files, name, device);
    const bool keeps_blocks = quantization == Quantization::blocks;
    if (keeps_blocks && files.has_blocks(name)) return files.blocks(name);
    // What a folder in 4 bits or a file in blocks left out stays as it is.
    const Quantization made = keeps_blocks ? Quantization::none : quantization;
    QuantizedWeight weight;
    files.with_view(name, slot.transposed, [&](const at::Tensor& values) {
        weight = quantize(values, made, files.place_of(name));
        if (made == Quantization::none) weight.codes = values.to(dtype, false, true).contiguous();
    });
    return weight.to(device);
}

}  // namespace

Decoder Decoder::load(const fs::path& folder, at::ScalarType dtype, const at::Device& device, Quantization quantization) {
    read_decoder_config(folder);  // says what is wrong with the folder before its weights are looked for
    if (quantization == Quantization::blocks && !device.is_cpu())
        throw Error("--quantize blocks", "the CPU", device.str(), "none, int8 or nf4");
    WeightFiles files(folder);
    const DecoderConfig config = settled_config(folder, files);
    Decoder decoder = DecoderWeights::empty(config);
    const std::vector<WeightSlot> slots = DecoderWeights::slots(decoder);
    // Everything is checked before anything is allocated.
    const std::set<const Linear*> narrow = linears_in_few_bits(slots, files, config, quantization);
    expect_slots(files, config, slots);
    const LoadingMemory memory = loading_memory(&files, slots, config, dtype, device, quantization);
    expect_memory(folder.string(), memory_need(memory, dtype, quantization), device);
    std::set<const at::Tensor*> mapped;
    for (size_t i = 0; i < slots.size(); ++i) {
        const WeightSlot& slot = slots[i];
        throw_if_stopped();
        // While one tensor goes to a device, the disk reads the next.
        if (!device.is_cpu() && i + 1 < slots.size()) files.expect_soon(name_in(files, slots[i + 1], config));
        if (narrow.contains(slot.linear)) {
            slot.linear->quantized.push_back(
                read_in_few_bits(files, name_in(files, slot, config), slot, dtype, device, quantization));
            continue;
        }
        if (!slot.place->defined()) {
            const std::vector<std::string> names = mapped_names(files, slots, slot.place, config, dtype, device);
            if (names.empty()) {
                *slot.place = at::empty(slot.whole, at::TensorOptions().dtype(dtype).device(device));
            } else {
                *slot.place = files.mapped(names).view(slot.whole);
                mapped.insert(slot.place);
            }
        }
        if (mapped.contains(slot.place)) continue;
        files.read_into(name_in(files, slot, config), slot.place->narrow(0, slot.first, slot.shape[0]), slot.transposed);
    }
    if (config.tied_embeddings) decoder.head_ = decoder.embedding_;
    decoder.base_name_ = located_model(folder).string();
    files.log_bytes_read();
    return decoder;
}

void Decoder::save(const fs::path& folder, at::ScalarType dtype) const {
    if (dtype != at::kFloat && dtype != at::kBFloat16)
        throw Error("dtype of a saved model", "float32 or bfloat16", c10::toString(dtype));
    if (quantization() != Quantization::none)
        throw Error(folder.string(), "a model with all its weights", "a quantised one", "save its adapter");
    ensure_folder(folder);
    NamedTensors tensors = DecoderWeights::named(*this);
    for (auto& [name, tensor] : tensors) tensor = tensor.to(at::kCPU, dtype);
    write_safetensors(folder / "model.safetensors", tensors);
    write_decoder_config(folder, config_, dtype == at::kBFloat16 ? "bfloat16" : "float32");
}

}  // namespace craft
