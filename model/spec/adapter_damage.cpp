#include "model/spec/adapter_damage.h"

#include <algorithm>

#include "core/error.h"
#include "model/spec/adapter_rules.h"

namespace craft {

namespace {

using Shape = std::vector<int64_t>;

struct Halves {
    std::string module;
    HalfNames names;
    const Shape *a = nullptr, *b = nullptr;  // null: not there

    bool is_complete() const { return a != nullptr && b != nullptr; }
};

std::vector<Halves> halves_among(const std::map<std::string, Shape>& shapes) {
    std::map<std::string, Halves> by_name;  // of A
    for (const auto& [name, shape] : shapes)
        for (const HalfNames& names : {kLinearHalves, kEmbeddingHalves})
            for (const bool is_a : {true, false}) {
                const std::string_view ending = is_a ? names.a : names.b;
                if (!name.ends_with(ending)) continue;
                const std::string module = name.substr(0, name.size() - ending.size());
                Halves& found = by_name[module + std::string(names.a)];
                found.module = module;
                found.names = names;
                (is_a ? found.a : found.b) = &shape;
            }
    std::vector<Halves> all;
    for (const auto& [name, halves] : by_name) all.push_back(halves);
    return all;
}

std::string shape_text(const Shape& shape) {
    std::string text;
    for (const int64_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
    return "[" + text + "]";
}

std::string and_more(int64_t count, const std::string& what) {
    return count > 1 ? ", and " + std::to_string(count - 1) + " more " + what : "";
}

void check_values(const std::map<std::string, Shape>& shapes, const std::string& file) {
    if (shapes.empty())
        throw Error(file, "lora_A and lora_B of some modules", "no tensors",
                    "what was saved was empty: save the adapter again");
    const auto is_empty = [](const auto& tensor) {
        return std::find(tensor.second.begin(), tensor.second.end(), 0) != tensor.second.end();
    };
    const auto empty = std::find_if(shapes.begin(), shapes.end(), is_empty);
    if (empty != shapes.end())
        throw Error(file + ": tensor '" + empty->first + "'", "values",
                    "none, shape " + shape_text(empty->second) +
                        and_more(std::count_if(empty, shapes.end(), is_empty), "without values"),
                    "DeepSpeed's ZeRO-3 leaves such where an adapter is saved before its parts are gathered: set "
                    "stage3_gather_16bit_weights_on_model_save");
}

void check_halves(const std::map<std::string, Shape>& shapes, const std::vector<Halves>& all, const std::string& file) {
    if (all.empty())
        throw Error(file, "lora_A and lora_B of some modules",
                    std::to_string(shapes.size()) + " other tensors, the first '" + shapes.begin()->first + "'",
                    "PEFT's save_pretrained names them MODULE.lora_A.weight and MODULE.lora_B.weight");
    const auto is_complete = [](const Halves& halves) { return halves.is_complete(); };
    const auto single = std::find_if_not(all.begin(), all.end(), is_complete);
    if (single != all.end()) {
        const std::string_view missing = single->a == nullptr ? single->names.a : single->names.b;
        const int64_t count = all.end() - single - std::count_if(single, all.end(), is_complete);
        throw Error(file + ": module '" + single->module + "'", "both halves",
                    "no '" + single->module + std::string(missing) + "'" + and_more(count, "without a half"),
                    "the other half is present: the file is damaged or incomplete");
    }
    for (const Halves& halves : all)
        if (halves.a->size() != 2 || halves.b->size() != 2 || (*halves.a)[0] != (*halves.b)[1])
            throw Error(file + ": module '" + halves.module + "'", "A [rank, inputs] and B [outputs, rank]",
                        shape_text(*halves.a) + " and " + shape_text(*halves.b), "the file is damaged");
}

}  // namespace

void check_adapter_tensors(const std::map<std::string, Shape>& shapes, const LoraOptions& options,
                           const std::filesystem::path& folder) {
    const std::string file = folder / "adapter_model.safetensors", config = folder / "adapter_config.json";
    check_values(shapes, file);
    const std::vector<Halves> all = halves_among(shapes);
    check_halves(shapes, all, file);

    const AdapterRules rules(options, config);
    std::vector<std::string> modules;
    for (const Halves& halves : all) modules.push_back(halves.module);
    rules.check_patterns(modules, config);  // first: a pattern that is misspelt gives its modules the rank of the others

    const auto is_other = [&](const Halves& halves) { return (*halves.a)[0] != rules.rank(halves.module); };
    const auto other = std::find_if(all.begin(), all.end(), is_other);
    if (other != all.end())
        throw Error(file + ": module '" + other->module + "'",
                    "rank " + std::to_string(rules.rank(other->module)) + ", as adapter_config.json says",
                    "tensors of rank " + std::to_string((*other->a)[0]) +
                        and_more(std::count_if(other, all.end(), is_other), "of another rank"),
                    "its r or rank_pattern is another adapter's");
}

}  // namespace craft
