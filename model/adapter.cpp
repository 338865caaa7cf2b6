// LoRA adapters in PEFT's folder layout.
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "core/files.h"
#include "model/architecture.h"
#include "model/decoder_files.h"
#include "model/lora_targets.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::string short_name(const std::string& projection) {
    return projection.substr(projection.rfind('.') + 1);
}

std::set<std::string> short_names(const TensorNames& names) {
    std::set<std::string> all;
    for (const auto* group : {&names.qkv, &names.o, &names.gate_up, &names.down})
        for (const std::string& projection : *group) all.insert(short_name(projection));
    return all;
}

// As PEFT: a target is a module's name or the end of it behind a dot.
bool names_module(const std::string& target, const std::string& module) {
    return module == target || module.ends_with("." + target);
}

// The targets in this architecture's own names, "all-linear" resolved. Throws Error on an unknown one.
std::set<std::string> resolve_targets(const DecoderConfig& config, const std::vector<std::string>& targets) {
    const Architecture& architecture = architecture_of(config);
    const std::set<std::string> known = short_names(architecture.names);
    std::vector<std::string> modules;  // PEFT writes whole names where it was asked for all linear ones
    const std::string layers = architecture.names.prefix + architecture.names.layers + ".";
    for (int64_t i = 0; i < config.layers; ++i)
        for (const LinearGroup& group : linear_groups(config))
            for (const std::string& projection : group.projections)
                modules.push_back(layers + std::to_string(i) + "." + projection);
    std::set<std::string> chosen;
    for (const std::string& target : targets) {
        if (target == "all-linear") {
            chosen.insert(known.begin(), known.end());
            continue;
        }
        const auto is_named = [&](const std::string& module) { return names_module(target, module); };
        const auto& others = architecture.target_names;
        const auto other =
            std::find_if(others.begin(), others.end(), [&](const auto& pair) { return pair.first == target; });
        if (std::any_of(modules.begin(), modules.end(), is_named))
            chosen.insert(target);
        else if (other != others.end())
            chosen.insert(other->second);
        else
            throw_unknown("LoRA target of " + architecture.name, target, {known.begin(), known.end()});
    }
    if (chosen.empty()) throw Error("LoRA targets", "at least one projection", "none");
    return chosen;
}

double scale_of(const LoraOptions& options) {
    const auto rank = static_cast<double>(options.rank);
    return options.alpha / (options.rslora ? std::sqrt(rank) : rank);
}

void check_options(const LoraOptions& options) {
    if (options.rank < 1) throw Error("LoRA rank", "at least 1", std::to_string(options.rank));
    if (!(options.dropout >= 0 && options.dropout < 1))
        throw Error("LoRA dropout", "0 <= p < 1", std::to_string(options.dropout));
}

// Calls f(linear, projection, input width) for every projection that the options name, in a fixed order.
template <class F>
void for_each_target(Decoder& decoder, const LoraOptions& options, const F& f) {
    const std::set<std::string> chosen = resolve_targets(decoder.config(), options.targets);
    for (DecoderLayer& layer : DecoderWeights::layers(decoder)) {
        for (const LinearGroup& group : linear_groups(decoder.config())) {
            Linear& linear = layer.*group.member;
            linear.lora_scale = scale_of(options);
            linear.lora_dropout = options.dropout;
            for (Projection& part : linear.projections)
                if (std::any_of(chosen.begin(), chosen.end(), [&](const auto& t) { return names_module(t, part.name); }))
                    f(part, linear.columns());
        }
    }
}

const std::string kPrefix = "base_model.model.";

}  // namespace

std::vector<std::string> lora_target_names() {
    std::vector<std::string> all;
    for (const Architecture* one : known_architectures())
        for (const std::string& name : short_names(one->names))
            if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    all.emplace_back("all-linear");
    return all;
}

void Decoder::add_adapter(const LoraOptions& options, Rng& rng) {
    check_options(options);
    if (adapter_) throw Error("adding an adapter", "a decoder without one", "one with an adapter");
    if (!trainable().empty()) throw Error("adding an adapter", "a frozen decoder", "one that trains all its weights");
    const auto place = at::TensorOptions().dtype(dtype() == at::kDouble ? at::kDouble : at::kFloat);
    for_each_target(*this, options, [&](Projection& part, int64_t columns) {
        // PEFT's start: Kaiming uniform with a = sqrt(5) is uniform within 1 / sqrt(columns).
        const double bound = 1 / std::sqrt(static_cast<double>(columns));
        at::Tensor a = at::empty({options.rank, columns}, at::kFloat);
        float* values = a.mutable_data_ptr<float>();
        for (int64_t i = 0; i < a.numel(); ++i) values[i] = static_cast<float>((2 * rng.uniform() - 1) * bound);
        part.lora_a = a.to(place.device(device())).requires_grad_(true);
        part.lora_b = at::zeros({part.rows, options.rank}, place.device(device())).requires_grad_(true);
    });
    adapter_ = options;
}

namespace {

[[noreturn]] void refuse(const fs::path& file, const std::string& key, const std::string& expected, const Json& got) {
    throw Error(file.string() + ": " + key, expected, dump_line(got));
}

// Options of adapter_config.json; whatever changes the mathematics and is not supported is an error.
LoraOptions read_adapter_config(const fs::path& file) {
    const Json json = read_json_file(file);
    if (!json.is_object()) throw Error(file.string(), "a JSON object", json.type_name());
    const auto value = [&](const std::string& key) { return json.contains(key) ? json[key] : Json(); };
    if (value("peft_type") != "LORA") refuse(file, "peft_type", "LORA", value("peft_type"));
    // fan_in_fan_out says how the base's weight is stored, which config.json says too.
    for (const std::string key : {"use_dora", "lora_bias"})
        if (!value(key).is_null() && value(key) != false) refuse(file, key, "false", value(key));
    if (!value("bias").is_null() && value("bias") != "none") refuse(file, "bias", "none", value("bias"));
    for (const std::string key : {"rank_pattern", "alpha_pattern", "modules_to_save", "layers_to_transform",
                                  "exclude_modules", "target_parameters", "layer_replication"})
        if (!value(key).is_null() && !value(key).empty()) refuse(file, key, "nothing", value(key));
    LoraOptions options;
    if (!value("r").is_number_integer()) refuse(file, "r", "an integer", value("r"));
    options.rank = value("r").get<int64_t>();
    if (!value("lora_alpha").is_number()) refuse(file, "lora_alpha", "a number", value("lora_alpha"));
    options.alpha = value("lora_alpha").get<double>();
    if (value("lora_dropout").is_number()) options.dropout = value("lora_dropout").get<double>();
    options.rslora = value("use_rslora") == true;
    const Json targets = value("target_modules");
    options.targets.clear();
    for (const Json& target : targets.is_array() ? targets : Json::array({targets})) {
        if (!target.is_string()) refuse(file, "target_modules", "a list of projection names", targets);
        options.targets.push_back(target.get<std::string>());
    }
    check_options(options);
    return options;
}

}  // namespace

void Decoder::load_adapter(const fs::path& folder, bool is_trainable) {
    if (adapter_) throw Error(folder.string(), "a decoder without an adapter", "one with an adapter");
    const LoraOptions options = read_adapter_config(folder / "adapter_config.json");
    const SafetensorsFile file(folder / "adapter_model.safetensors");
    const std::string where = (folder / "adapter_model.safetensors").string();
    std::set<std::string> taken;
    std::vector<std::pair<at::Tensor, at::Tensor>> read;
    const auto take = [&](const std::string& name, const std::vector<int64_t>& shape) {
        if (!file.has(name)) throw Error(where, "a tensor '" + name + "'", "none of that name");
        if (file.shape(name) != shape)
            throw Error(where + ": tensor '" + name + "'", c10::str("shape ", at::IntArrayRef(shape)),
                        c10::str("shape ", at::IntArrayRef(file.shape(name))), "the adapter belongs to another model");
        taken.insert(name);
        const at::ScalarType kept = dtype() == at::kDouble ? at::kDouble : at::kFloat;
        return file.tensor(name).to(device(), kept).requires_grad_(is_trainable);
    };
    Decoder filled = *this;  // only a whole adapter is attached
    for_each_target(filled, options, [&](Projection& part, int64_t columns) {
        part.lora_a = take(kPrefix + part.name + ".lora_A.weight", {options.rank, columns});
        part.lora_b = take(kPrefix + part.name + ".lora_B.weight", {part.rows, options.rank});
    });
    for (const std::string& name : file.names())
        if (taken.count(name) == 0) throw Error(where, "the tensors of the targets", "'" + name + "' besides");
    filled.adapter_ = options;
    *this = std::move(filled);
}

void Decoder::save_adapter(const fs::path& folder) const {
    if (!adapter_) throw Error(folder.string(), "a decoder with an adapter", "one without");
    ensure_folder(folder);
    NamedTensors tensors;
    for (const DecoderLayer& layer : layers_)
        for (const LinearGroup& group : linear_groups(config_))
            for (const Projection& part : (layer.*group.member).projections) {
                if (!part.lora_a.defined()) continue;
                tensors.emplace_back(kPrefix + part.name + ".lora_A.weight", part.lora_a.detach().to(at::kCPU, at::kFloat));
                tensors.emplace_back(kPrefix + part.name + ".lora_B.weight", part.lora_b.detach().to(at::kCPU, at::kFloat));
            }
    const std::set<std::string> chosen = resolve_targets(config_, adapter_->targets);
    const Json config = {
        {"peft_type", "LORA"},
        {"task_type", "CAUSAL_LM"},
        {"base_model_name_or_path", base_name_.empty() ? Json() : Json(base_name_)},
        {"r", adapter_->rank},
        {"lora_alpha", adapter_->alpha == std::floor(adapter_->alpha) ? Json(static_cast<int64_t>(adapter_->alpha))
                                                                      : Json(adapter_->alpha)},
        {"lora_dropout", adapter_->dropout},
        {"target_modules", std::vector<std::string>(chosen.begin(), chosen.end())},
        {"bias", "none"},
        {"fan_in_fan_out", architecture_of(config_).names.transposed},
        {"inference_mode", true},
        {"init_lora_weights", true},
        {"modules_to_save", nullptr},
        {"layers_to_transform", nullptr},
        {"rank_pattern", Json::object()},
        {"alpha_pattern", Json::object()},
        {"use_dora", false},
        {"use_rslora", adapter_->rslora}};
    write_safetensors(folder / "adapter_model.safetensors", tensors);
    write_json_file(folder / "adapter_config.json", config);
}

}  // namespace craft
