// A planner under training, and what surrounds it (rollout/environment.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/chat/chat_template.h"
#include "model/decoder/decoder.h"
#include "model/tokenizer/tokenizer.h"
#include "rollout/environment.h"
#include "systems/open/open_system.h"

namespace craft {

// A model folder opened as a planner: the base as it was loaded, and the decoder that carries the adapter and changes under
// training (they share the base's weights).
struct Planner {
    Decoder base, decoder;
    std::shared_ptr<Tokenizer> tokenizer;
    std::shared_ptr<ChatTemplate> chat;
    std::string prompt;            // that it is asked with (systems/prompts.h)
    std::filesystem::path folder;  // of the model

    // Throws Error as Decoder::load, open_tokenizer, open_chat_template and noted_prompt do.
    static Planner open(const std::filesystem::path& model, at::ScalarType dtype, const at::Device& device,
                        Quantization quantization = Quantization::none, const ChatOptions& chat = {});
    // Puts this PEFT folder's adapter in place of the present one; the prompt too, if the folder names one.
    void load_adapter(const std::filesystem::path& adapter_folder, bool trainable = true);
    // The mean of the weights of these adapters, at least one and all of one form, in place of the present adapter. A and B
    // each have their own mean: not the mean of the products, but near it where one training led from each to the next (SWA:
    // Izmailov et al. 2018). Throws Error as Decoder::load_adapter does.
    void load_adapter_mean(const std::vector<std::filesystem::path>& adapter_folders);
    // Sets the prompt that the planner is asked with; "auto" leaves it as it is. Returns the prompt's name.
    const std::string& set_prompt(const std::string& prompt_name);
    // A system that answers with the present decoder. It must be destroyed before the decoder is trained further. Draws
    // follow the seed.
    std::unique_ptr<System> system(uint64_t seed) const;
    // The adapter as a PEFT folder that names the prompt.
    void save_adapter(const std::filesystem::path& to) const;
};

// As open_language_model() of rollout/environment.h; the planner lends its base where the options name no other model or the
// one that it was opened from.
LanguageModel open_language_model(const EnvironmentOptions& options, const Planner& planner, at::ScalarType dtype,
                                  const at::Device& device);

// The environment of this planner. Sets the planner's prompt to that of the options, unless it is "auto".
RevisionEnvironment environment_around(Planner& planner, EnvironmentOptions options, at::ScalarType dtype,
                                       const at::Device& device);

}  // namespace craft
