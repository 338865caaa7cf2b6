#include "model/decoder/adapter_files.h"

#include <torch/types.h>

#include <algorithm>

#include "core/error.h"
#include "model/spec/adapter_rules.h"
#include "model/spec/lora_targets.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kOtherModel = "the adapter belongs to another model";

// Every module that can carry A and B.
std::vector<AdapterPart> all_parts(Decoder& decoder) {
    const DecoderConfig& c = decoder.config();
    std::vector<AdapterPart> parts = {{&DecoderWeights::embedding_lora(decoder), c.vocab_size, 0, 0, true}};
    std::vector<DecoderLayer>& layers = DecoderWeights::layers(decoder);
    for (size_t i = 0; i < layers.size(); ++i)
        for (const LinearGroup& group : linear_groups(c, i))
            for (Projection& part : (layers[i].*group.member).projections)
                parts.push_back({&part, group.columns, 0, 0, false});
    parts.push_back({&DecoderWeights::head_lora(decoder), c.hidden_size, 0, 0, false});
    return parts;
}

std::string module_of(const std::string& tensor) {
    return tensor.substr(0, tensor.rfind('.'));
}

// Modules that hold tensors, and those that these are parts of.
std::set<std::string> all_modules(Decoder& decoder) {
    std::set<std::string> modules = {DecoderWeights::head_lora(decoder).name};
    for (const WeightSlot& slot : DecoderWeights::slots(decoder))
        for (std::string module = module_of(slot.name); modules.insert(module).second;) {
            if (module.find('.') == std::string::npos) break;
            module = module_of(module);
        }
    return modules;
}

void check_targets(Decoder& decoder, const AdapterRules& rules, const AdapterPlan& plan, const std::string& where) {
    std::set<std::string> parts;
    for (const AdapterPart& part : plan.parts) {
        parts.insert(part.place->name);
        if (rules.is_saved(part.place->name))
            throw Error(where, "a module either as a target or in modules_to_save", "'" + part.place->name + "' as both");
    }
    for (const std::string& module : all_modules(decoder))
        if (rules.is_target(module) && parts.count(module) == 0)
            throw Error(where + ": target_modules", "projections, the embedding or the head", "'" + module + "' besides");
    if (plan.parts.empty())
        throw Error(where + ": target_modules", "at least one projection of " + decoder.config().architecture, "none",
                    kOtherModel);
}

// As PEFT: a replaced embedding leaves the head with the base's matrix, unless the adapter asks for tying.
void untie_where_replaced(Decoder& decoder, const AdapterRules& rules, const LoraOptions& options,
                          const std::string& where) {
    if (!decoder.config().tied_embeddings) return;
    const std::string embedding = DecoderWeights::embedding_lora(decoder).name,
                      head = DecoderWeights::head_lora(decoder).name;
    if (options.ensure_weight_tying && (rules.is_target(embedding) || rules.is_target(head)))
        throw Error(where + ": ensure_weight_tying", "false, where the embedding or the head is a target", "true");
    // PEFT knows embeddings by these names only: in GPT-2, whose is wte, the option has no effect.
    const bool is_known = std::any_of(options.saved_modules.begin(), options.saved_modules.end(), [](const std::string& m) {
        const std::string last = m.substr(m.rfind('.') + 1);
        return last == "embed_tokens" || last == "lm_head";
    });
    const bool keeps_tie = options.ensure_weight_tying && is_known && rules.is_saved(embedding);
    if (!keeps_tie && (rules.is_saved(embedding) || rules.is_saved(head))) DecoderWeights::untie(decoder);
}

}  // namespace

AdapterPlan plan_adapter(Decoder& decoder, const LoraOptions& given, const std::string& where) {
    LoraOptions options = given;
    if (options.targets == std::vector<std::string>{"all-linear"}) options = resolved_for(decoder.config(), options);
    const AdapterRules rules(options, where);
    untie_where_replaced(decoder, rules, options, where);
    AdapterPlan plan;
    for (AdapterPart part : all_parts(decoder)) {
        if (!rules.is_target(part.place->name)) continue;
        part.rank = rules.rank(part.place->name);
        part.scale = rules.scale(part.place->name);
        plan.parts.push_back(part);
    }
    check_targets(decoder, rules, plan, where);
    std::vector<std::string> targets;
    for (const AdapterPart& part : plan.parts) targets.push_back(part.place->name);
    rules.check_patterns(targets, where);
    for (const WeightSlot& slot : DecoderWeights::slots(decoder))
        if (rules.is_saved(module_of(slot.name))) plan.saved.push_back(slot);
    if (plan.saved.empty() && !options.saved_modules.empty())
        throw Error(where + ": modules_to_save", "modules of " + decoder.config().architecture, "none of that name",
                    kOtherModel);
    return plan;
}

AdapterFile::AdapterFile(const fs::path& folder, const LoraOptions& options)
    : path_((folder / "adapter_model.safetensors").string()), file_(folder / "adapter_model.safetensors") {
    std::map<std::string, std::vector<int64_t>> shapes;
    for (const std::string& name : file_.names()) {
        const std::string bare = name.starts_with(kAdapterPrefix) ? name.substr(kAdapterPrefix.size()) : name;
        if (!names_.emplace(bare, name).second)
            throw Error(path_, "each tensor once", "'" + bare + "' with and without '" + kAdapterPrefix + "'");
        if (!c10::isFloatingType(file_.dtype(name)))
            throw Error(path_ + ": tensor '" + name + "'", "float32, bfloat16 or float16", c10::toString(file_.dtype(name)));
        shapes[bare] = file_.shape(name);
    }
    check_adapter_tensors(shapes, options, folder);
}

at::Tensor AdapterFile::take(const std::string& name, const std::vector<int64_t>& shape) {
    const auto found = names_.find(name);
    if (found == names_.end())
        throw Error(path_, "a tensor '" + kAdapterPrefix + name + "'", "none of that name", kOtherModel);
    const std::string where = path_ + ": tensor '" + found->second + "'";
    if (file_.shape(found->second) != shape)
        throw Error(where, c10::str("shape ", at::IntArrayRef(shape)),
                    c10::str("shape ", at::IntArrayRef(file_.shape(found->second))), kOtherModel);
    taken_.insert(name);
    return file_.view(found->second);
}

std::vector<std::string> AdapterFile::left() const {
    std::vector<std::string> all;
    for (const auto& [name, in_file] : names_)
        if (taken_.count(name) == 0) all.push_back(name);
    return all;
}

NamedTensors AdapterFile::views() const {
    NamedTensors all;
    for (const auto& [name, in_file] : names_) all.emplace_back(kAdapterPrefix + name, file_.view(in_file));
    return all;
}

namespace {

WeightSlot slot_named(Decoder& decoder, const std::string& name) {
    for (const WeightSlot& slot : DecoderWeights::slots(decoder))
        if (slot.name == name) return slot;
    throw Error("weights", "one named " + name, "none");
}

}  // namespace

namespace {

// PEFT's save_embedding_layers writes a replaced embedding or head under the names of its wrapper's parts, too: what
// replaces it once more, and the base's. Throws Error if the former has other values.
void take_wrapper_parts(AdapterFile& file, const Replacement& taken) {
    const std::string module = module_of(taken.name), leaf = taken.name.substr(module.size());
    const std::vector<int64_t> shape = taken.slot.transposed ? taken.tensor.t().sizes().vec() : taken.tensor.sizes().vec();
    const std::vector<std::string> left = file.left();
    for (const std::string part : {".modules_to_save", ".original_module"}) {
        const std::string name = module + part + leaf;
        if (std::find(left.begin(), left.end(), name) == left.end()) continue;
        const at::Tensor values = file.take(name, shape);
        if (part == ".modules_to_save" && !at::equal(taken.slot.transposed ? values.t() : values, taken.tensor))
            throw Error(file.path() + ": tensor '" + name + "'", "the values of '" + taken.name + "'", "others");
    }
}

}  // namespace

std::vector<Replacement> take_replacements(Decoder& decoder, const AdapterPlan& plan, AdapterFile& file) {
    std::vector<Replacement> all;
    const auto take = [&](const WeightSlot& slot, const std::string& name) {
        const at::Tensor tensor =
            file.take(name, slot.transposed ? std::vector<int64_t>{slot.shape[1], slot.shape[0]} : slot.shape);
        all.push_back({slot, name, slot.transposed ? tensor.t() : tensor});
    };
    for (const WeightSlot& slot : plan.saved) {
        take(slot, slot.name);
        take_wrapper_parts(file, all.back());
    }
    const std::string head = DecoderWeights::head_lora(decoder).name + ".weight",
                      embedding = DecoderWeights::embedding_lora(decoder).name + ".weight";
    // PEFT stores the base's embeddings with an adapter on them, and loads them from there.
    for (const WeightSlot& slot : DecoderWeights::slots(decoder)) {
        if (slot.name != embedding && slot.name != head) continue;
        for (const std::string& name : {module_of(slot.name) + ".base_layer.weight", slot.name}) {
            const std::vector<std::string> left = file.left();
            if (std::find(left.begin(), left.end(), name) != left.end()) take(slot, name);
        }
    }
    // A head that stays tied is the embedding under another name.
    for (const std::string& name : {module_of(head) + ".base_layer.weight", head}) {
        const std::vector<std::string> left = file.left();
        if (!decoder.config().tied_embeddings || std::find(left.begin(), left.end(), name) == left.end()) continue;
        const at::Tensor tensor = file.take(name, {decoder.config().vocab_size, decoder.config().hidden_size});
        const auto own = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.slot.name == embedding; });
        if (own == all.end())
            all.push_back({slot_named(decoder, embedding), name, tensor});
        else if (!at::equal(own->tensor, tensor))
            throw Error(file.path() + ": tensor '" + name + "'", "the values of '" + own->name + "': the model ties them",
                        "others");
    }
    if (const std::vector<std::string> left = file.left(); !left.empty())
        throw Error(file.path(), "the tensors that adapter_config.json describes", "'" + left.front() + "' besides");
    return all;
}

}  // namespace craft
