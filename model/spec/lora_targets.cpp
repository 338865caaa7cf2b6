#include "model/spec/lora_targets.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/error.h"
#include "model/spec/architecture.h"

namespace craft {

namespace {

std::vector<std::string> projections_of(const TensorNames& names, const std::vector<std::string>& up) {
    std::vector<std::string> all;
    for (const auto* group : {&names.qkv, &names.o, &names.cross_q, &names.cross_kv, &names.cross_o, &up, &names.down})
        all.insert(all.end(), group->begin(), group->end());
    return all;
}

void add_short_names(const std::vector<std::string>& projections, std::set<std::string>& to) {
    for (const std::string& projection : projections) to.insert(projection.substr(projection.rfind('.') + 1));
}

// Of a model's projections.
std::set<std::string> short_names(const DecoderConfig& config) {
    const TensorNames& names = architecture_of(config).names;
    std::set<std::string> all;
    add_short_names(projections_of(names, up_names(names, config.gated)), all);
    return all;
}

}  // namespace

std::vector<std::string> lora_target_names() {
    std::vector<std::string> all;
    for (const Architecture* one : known_architectures()) {
        std::set<std::string> own;
        for (const bool gated : {true, false}) add_short_names(projections_of(one->names, up_names(one->names, gated)), own);
        for (const std::string& name : own)
            if (std::find(all.begin(), all.end(), name) == all.end()) all.push_back(name);
    }
    all.emplace_back("all-linear");
    return all;
}

std::vector<std::string> adaptable_modules(const DecoderConfig& config) {
    const TensorNames& names = architecture_of(config).names;
    std::vector<std::string> all = {names.prefix + names.embedding};
    for (int64_t layer = 0; layer < config.encoder_layers + config.layers; ++layer) {
        const TensorNames& own = layer_names(config, layer);
        for (const std::string& projection : projections_of(own, up_names(own, config.gated)))
            all.push_back(layer_prefix(config, layer) + projection);
    }
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
    const std::set<std::string> known = short_names(config);
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
        const auto other = std::find_if(others.begin(), others.end(), [&](const auto& pair) {
            return pair.first == target && known.contains(pair.second.substr(pair.second.rfind('.') + 1));
        });
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
