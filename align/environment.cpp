#include "align/environment.h"

#include <torch/types.h>

#include "core/model_files.h"

namespace craft {

Planner Planner::open(const std::filesystem::path& model, at::ScalarType dtype, const at::Device& device,
                      Quantization quantization, const ChatOptions& chat) {
    const Decoder base = Decoder::load(model, dtype, device, quantization);
    return {base, base, open_tokenizer(model), open_chat_template(model, chat), planner_prompt("auto", model, {}), model};
}

void Planner::load_adapter(const std::filesystem::path& adapter_folder, bool trainable) {
    Decoder fresh = base;
    fresh.load_adapter(adapter_folder, trainable);
    decoder = std::move(fresh);
    if (const std::string noted = noted_prompt(adapter_folder); !noted.empty()) prompt = noted;
}

void Planner::load_adapter_mean(const std::vector<std::filesystem::path>& adapter_folders) {
    load_adapter(adapter_folders.back());
    const at::NoGradGuard no_gradients;
    const auto mean = decoder.trainable();
    for (size_t i = 0; i + 1 < adapter_folders.size(); ++i) {
        Decoder other = base;
        other.load_adapter(adapter_folders[i], /*trainable=*/true);
        const auto weights = other.trainable();
        for (size_t j = 0; j < mean.size(); ++j) mean[j].second.add_(weights.at(j).second);
    }
    for (const auto& [name, weight] : mean) weight.div_(static_cast<double>(adapter_folders.size()));
}

const std::string& Planner::set_prompt(const std::string& prompt_name) {
    if (prompt_name != "auto") prompt = prompt_name;
    return prompt;
}

std::unique_ptr<System> Planner::system(uint64_t seed) const {
    return open_system(StepSource(decoder), tokenizer, chat, {.seed = seed});
}

void Planner::save_adapter(const std::filesystem::path& to) const {
    decoder.save_adapter(to);
    note_prompt(to, prompt);
}

LanguageModel open_language_model(const EnvironmentOptions& options, const Planner& planner, at::ScalarType dtype,
                                  const at::Device& device) {
    if (!need_language_model(options.scorers)) return {};
    const std::filesystem::path& folder = options.perplexity_model;
    std::error_code code;
    if (folder.empty() || std::filesystem::equivalent(located_model(folder), located_model(planner.folder), code))
        return {planner.base, planner.tokenizer};
    return open_language_model(options, dtype, device);
}

RevisionEnvironment environment_around(Planner& planner, EnvironmentOptions options, at::ScalarType dtype,
                                       const at::Device& device) {
    options.prompt = planner.set_prompt(options.prompt);
    return {options, open_language_model(options, planner, dtype, device), dtype, device};
}

}  // namespace craft
