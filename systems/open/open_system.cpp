#include "systems/open/open_system.h"

#include <c10/core/ScalarType.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/machine.h"
#include "core/model_cache.h"
#include "core/model_files.h"
#include "model/decoder/loading_memory.h"
#include "model/generate/generation_config.h"
#include "systems/hosted/hosted_system.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char *kLocal = "local:", *kHosted = "openai:";
// What a local model's answers depend on beside the request: its files, its adapter's, the template, and how it computes.
Json identity_of(const SystemSpec& spec, const SystemOptions& options, const GenerateOptions& generate) {
    Json identity = {{"model", file_hash(located_model(spec.model))},
                     {"dtype", c10::toString(options.dtype)},
                     {"device", options.device.type() == at::kCUDA ? "cuda" : "cpu"},
                     {"quantize", static_cast<int>(options.quantize)},
                     {"chat_template", options.chat.chat_template},
                     {"allow_special", options.chat.allow_special}};
    if (!spec.adapter.empty()) identity["adapter"] = file_hash(spec.adapter);
    // Which rules the file has, the model's hash tells; answers recorded before they were followed are others.
    if (generate.rules != LogitRules() || !generate.stop_strings.empty() || generate.sampling.has_further_filters())
        identity["generation_config"] = true;
    return identity;
}

fs::path model_named(const std::string& name, const std::string& where) {
    try {
        return named_model(name);
    } catch (const Error& error) {  // the cache is damaged
        throw UsageError(where + ": " + error.what());
    }
}

constexpr const char* kForms = "rules, local:MODEL[+ADAPTER] or openai:PROFILE";

}  // namespace

SystemSpec SystemSpec::parse(const std::string& text, const std::string& where) {
    const auto wrong = [&]() -> UsageError {
        return UsageError(where + ": expected " + kForms + ", got " + text +
                          did_you_mean(text.substr(0, text.find(':')), {"rules", "local", "openai"}));
    };
    SystemSpec spec;
    if (text == "rules") return spec;
    if (text.starts_with(kHosted)) {
        spec.kind = Kind::hosted;
        spec.profile = text.substr(std::string(kHosted).size());
        if (spec.profile.empty()) throw wrong();
        return spec;
    }
    if (!text.starts_with(kLocal) || text == kLocal) throw wrong();
    spec.kind = Kind::local;
    const std::string paths = text.substr(std::string(kLocal).size());
    spec.model = model_named(paths, where);
    const size_t plus = paths.rfind('+');
    if (plus == std::string::npos || fs::exists(spec.model)) return spec;
    spec.model = model_named(paths.substr(0, plus), where);
    spec.adapter = adapter_folder(paths.substr(plus + 1));
    if (spec.model.empty() || spec.adapter.empty()) throw wrong();
    return spec;
}

std::string SystemSpec::text() const {
    if (kind == Kind::rules) return "rules";
    if (kind == Kind::hosted) return kHosted + profile;
    return kLocal + model.string() + (adapter.empty() ? "" : "+" + adapter.string());
}

HostedProfile hosted_profile(const SystemSpec& spec, const Json& profiles) {
    return HostedProfile::named(profiles, spec.profile, spec.text());
}

std::unique_ptr<System> open_system(const SystemSpec& spec, const SystemOptions& options) {
    if (spec.kind == SystemSpec::Kind::rules)
        throw UsageError(
            "system rules: expected a model, since the rules answer no messages; known here: local:MODEL[+ADAPTER], "
            "openai:PROFILE");
    if (spec.kind == SystemSpec::Kind::hosted)
        return std::make_unique<HostedSystem>(hosted_profile(spec, options.profiles).shared_by(options.processes));
    refuse_beyond_memory(spec.model, options.dtype, options.device, options.quantize);
    LocalSystemOptions local = options.local;
    // Each call says how it samples.
    follow_generation_config(spec.model, read_decoder_config(spec.model),
                             {.sampling = {.temperature = 1, .top_p = 1, .top_k = 0}}, local.generate);
    if (options.with_identity) local.identity = identity_of(spec, options, local.generate);
    Decoder decoder = Decoder::load(spec.model, options.dtype, options.device, options.quantize);
    if (!spec.adapter.empty()) decoder.load_adapter(spec.adapter, /*trainable=*/false);
    // Searches continue after many histories: what is not kept of them is computed again.
    if (options.device.is_cpu() && local.generate.cache_bytes == 0)
        local.generate.cache_bytes = std::max(int64_t{2} << 30, this_machine().free_memory_bytes / 4);
    // The decoder is given away: its weights are packed where they lie, and not held twice.
    return open_system(StepSource(std::move(decoder)), open_tokenizer(spec.model),
                       open_chat_template(spec.model, options.chat), local);
}

std::unique_ptr<System> open_system(StepSource source, std::shared_ptr<const Tokenizer> tokenizer,
                                    std::shared_ptr<const ChatTemplate> chat, const LocalSystemOptions& options) {
    return std::make_unique<LocalSystem>(std::move(source), std::move(tokenizer), std::move(chat), options);
}

}  // namespace craft
