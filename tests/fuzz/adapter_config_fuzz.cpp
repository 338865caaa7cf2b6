// libFuzzer target: an adapter_config.json. Whatever it says, it is refused with an error or tells of each module of a small
// decoder what it is to the adapter, and what is written of it is read as the same. Run as `adapter_config_fuzz
// -max_total_time=60`.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/spec/adapter_config.h"
#include "model/spec/adapter_rules.h"
#include "model/spec/lora_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    craft::DecoderConfig config;
    config.layers = 2;
    try {
        const std::string text(reinterpret_cast<const char*>(data), size);
        craft::LoraOptions options = craft::parse_adapter_config(craft::parse_json(text, "fuzz"), "fuzz");
        const craft::Json written = craft::adapter_config_json(options, "base", false);
        if (craft::adapter_config_json(craft::parse_adapter_config(written, "again"), "base", false) != written)
            std::abort();
        if (options.targets == std::vector<std::string>{"all-linear"}) options = craft::resolved_for(config, options);
        const craft::AdapterRules rules(options, "fuzz");
        std::vector<std::string> targets;
        for (const std::string& module : craft::adaptable_modules(config)) {
            rules.is_saved(module);
            if (!rules.is_target(module)) continue;
            if (rules.rank(module) < 1 || !std::isfinite(rules.scale(module))) std::abort();
            targets.push_back(module);
        }
        rules.check_patterns(targets, "fuzz");
    } catch (const craft::Error&) {}
    return 0;
}
