// Everything around a planner that rounds, evaluations and trajectories share: rules, prompts, reviser, judge.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/constraints/wordings.h"
#include "judge/reward.h"
#include "model/chat/chat_template.h"
#include "model/decoder/decoder.h"
#include "model/tokenizer/tokenizer.h"
#include "rollout/session.h"
#include "systems/open/open_system.h"
#include "systems/prompts.h"

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

struct EnvironmentOptions {
    std::string prompt = "auto";  // of prompt_names(); auto: the planner's own, else full
    RewardOptions reward;
    std::vector<std::string> scorers = {"perplexity"};  // of S_r; empty: S_r counts 0
    std::filesystem::path perplexity_model;             // empty: the planner's base, as it was loaded
};

// The model that S_r depends on besides the planner's own; empty where there is none.
std::filesystem::path language_model_folder(const EnvironmentOptions& options);

// The model that measures perplexity, with its own tokenizer; empty where no scorer needs it. A `planner` lends its base
// where the options name no other model or the one that it was opened from. Without a planner they must name one. Throws
// Error as Decoder::load and open_tokenizer do.
LanguageModel open_language_model(const EnvironmentOptions& options, const Planner* planner, at::ScalarType dtype,
                                  const at::Device& device);

class RevisionEnvironment {
public:
    // Loads share/rules, share/wordings and share/prompts, and scorers' own models in this dtype on this device. Throws
    // Error on a missing file or an unknown scorer.
    RevisionEnvironment(const EnvironmentOptions& options, const LanguageModel& language_model, at::ScalarType dtype,
                        const at::Device& device);
    // The one for this planner. Sets the planner's prompt to that of the options, unless it is "auto".
    static RevisionEnvironment around(Planner& planner, EnvironmentOptions options, at::ScalarType dtype,
                                      const at::Device& device);

    const std::shared_ptr<const Rules>& rules() const { return rules_; }
    const Wordings& wordings() const { return wordings_; }
    const PromptTemplate& prompt() const { return prompt_; }
    const WordingTable& feedback() const { return feedback_; }
    Reviser& reviser() { return *reviser_; }
    // In place of the rules.
    void set_reviser(std::unique_ptr<Reviser> reviser) { reviser_ = std::move(reviser); }
    Judge& judge() { return judge_; }
    SentenceRule sentences() const { return sentences_; }
    std::string free_revision(const std::string& text, Rng& rng) const;
    // Judged by the environment's judge, or by another one that outlives the session.
    Session session(Responder& planner, const SessionOptions& options, Judge* judge = nullptr);
    // Versions of the files used, for manifests.
    Json versions() const;

private:
    SentenceRule sentences_;
    std::shared_ptr<const Rules> rules_;
    Wordings wordings_;
    PromptTemplate prompt_;
    WordingTable feedback_;
    std::unique_ptr<Reviser> reviser_;
    Judge judge_;
};

}  // namespace craft
