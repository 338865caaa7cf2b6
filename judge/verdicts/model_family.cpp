#include "judge/verdicts/model_family.h"

#include <array>

#include "core/ascii.h"

namespace craft {

namespace {

// Longer names before those that they hold.
constexpr std::array<std::string_view, 34> kFamilies = {
    "smollm",    "tinyllama", "codellama", "llama", "qwen", "qwq",    "mixtral",  "mistral",  "ministral",
    "codestral", "gemma",     "gemini",    "phi",   "gpt",  "claude", "deepseek", "falcon",   "olmo",
    "granite",   "command-r", "aya",       "yi",    "glm",  "kimi",   "minimax",  "nemotron", "exaone",
    "internlm",  "baichuan",  "bloom",     "opt",   "t5",   "pythia", "stablelm"};

bool is_letter_byte(char c) {
    return c >= 'a' && c <= 'z';
}

}  // namespace

std::optional<std::string> model_family(std::string_view name) {
    const std::string lower = ascii_lower(name);
    for (const std::string_view family : kFamilies) {
        for (size_t at = lower.find(family); at != std::string::npos; at = lower.find(family, at + 1)) {
            const size_t end = at + family.size();
            const bool starts = at == 0 || !is_letter_byte(lower[at - 1]);
            if (starts && (end == lower.size() || !is_letter_byte(lower[end]))) return std::string(family);
        }
    }
    return std::nullopt;
}

std::optional<std::string> shared_family(std::string_view one, std::string_view other) {
    if (!one.empty() && equals_in_any_case(one, other)) return std::string(one);
    const auto family = model_family(one);
    return family && family == model_family(other) ? family : std::nullopt;
}

}  // namespace craft
