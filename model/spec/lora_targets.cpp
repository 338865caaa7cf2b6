#include "model/spec/lora_targets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/error.h"
#include "model/spec/architecture.h"

namespace craft {

namespace {

std::vector<std::string> projections_of(const TensorNames& names) {
    std::vector<std::string> all;
    for (const auto* group : {&names.qkv, &names.o, &names.gate_up, &names.down})
        all.insert(all.end(), group->begin(), group->end());
    return all;
}

std::set<std::string> short_names(const TensorNames& names) {
    std::set<std::string> all;
    for (const std::string& projection : projections_of(names)) all.insert(projection.substr(projection.rfind('.') + 1));
    return all;
}

}  // namespace

std::vector<std::string> lora_target_names() {
    std::vector<std::string> all;
    for (const Architecture* one : known_architectures())
        for (const std::string& name : short_names(one->names))
            if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    all.emplace_back("all-linear");
    return all;
}

std::vector<std::string> adaptable_modules(const DecoderConfig& config) {
    const TensorNames& names = architecture_of(config).names;
    std::vector<std::string> all = {names.prefix + names.embedding};
    for (int64_t layer = 0; layer < config.layers; ++layer)
        for (const std::string& projection : projections_of(names))
            all.push_back(names.prefix + names.layers + "." + std::to_string(layer) + "." + projection);
    all.push_back(names.head);
    return all;
}

std::vector<int64_t> adapted_layers(const LoraOptions& options, int64_t layers) {
    if (options.upper >= 1) return options.layers;
    const auto count = std::llround(options.upper * static_cast<double>(layers));
    std::vector<int64_t> upper(static_cast<size_t>(std::clamp<int64_t>(count, 1, layers)));
    std::iota(upper.begin(), upper.end(), layers - std::ssize(upper));
    return upper;
}

LoraOptions resolved_for(const DecoderConfig& config, LoraOptions options) {
    options.layers = adapted_layers(options, config.layers);
    options.upper = 1;
    if (!options.target_expression.empty()) return options;
    const Architecture& architecture = architecture_of(config);
    const std::set<std::string> known = short_names(architecture.names);
    const std::vector<std::string> modules =
        adaptable_modules(config);  // PEFT writes whole names where it was asked for all
    std::set<std::string> chosen;
    for (const std::string& target : options.targets) {
        if (target == "all-linear") {
            chosen.insert(known.begin(), known.end());
            continue;
        }
        const auto is_named = [&](const std::string& m) { return m == target || m.ends_with("." + target); };
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
    options.targets.assign(chosen.begin(), chosen.end());
    return options;
}

}  // namespace craft
