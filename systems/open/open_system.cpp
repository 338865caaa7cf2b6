#include "systems/open/open_system.h"

#include "core/error.h"

namespace craft {

namespace fs = std::filesystem;

SystemSpec SystemSpec::parse(const std::string& text, const std::string& where) {
    const std::string local = "local:";
    if (text == "rules") return {};
    if (!text.starts_with(local) || text.size() == local.size())
        throw UsageError(where + ": expected rules or local:MODEL[+ADAPTER], got " + text);
    SystemSpec spec{Kind::local, text.substr(local.size()), {}};
    const std::string paths = spec.model.string();
    const size_t plus = paths.rfind('+');
    if (plus == std::string::npos || fs::exists(spec.model)) return spec;
    spec.model = paths.substr(0, plus);
    spec.adapter = paths.substr(plus + 1);
    if (spec.model.empty() || spec.adapter.empty())
        throw UsageError(where + ": expected rules or local:MODEL[+ADAPTER], got " + text);
    return spec;
}

std::string SystemSpec::text() const {
    if (kind == Kind::rules) return "rules";
    return "local:" + model.string() + (adapter.empty() ? "" : "+" + adapter.string());
}

std::unique_ptr<System> open_system(const SystemSpec& spec, const SystemOptions& options) {
    if (spec.kind == SystemSpec::Kind::rules)
        throw UsageError(
            "system rules: expected a model, since the rules answer no messages; known here: local:MODEL[+ADAPTER]");
    Decoder decoder = Decoder::load(spec.model, options.dtype, options.device, options.quantize);
    if (!spec.adapter.empty()) decoder.load_adapter(spec.adapter, /*trainable=*/false);
    // The decoder is given away: its weights are packed where they lie, and not held twice.
    return open_system(StepSource(std::move(decoder)), open_tokenizer(spec.model),
                       open_chat_template(spec.model, options.chat), options.local);
}

std::unique_ptr<System> open_system(StepSource source, std::shared_ptr<const Tokenizer> tokenizer,
                                    std::shared_ptr<const ChatTemplate> chat, const LocalSystemOptions& options) {
    return std::make_unique<LocalSystem>(std::move(source), std::move(tokenizer), std::move(chat), options);
}

}  // namespace craft
