// Everything around a planner that rounds, evaluations, trajectories and revisions share: rules, prompts, reviser, judge.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/constraints/wordings.h"
#include "judge/reward.h"
#include "rollout/session.h"
#include "systems/prompts.h"

namespace craft {

struct EnvironmentOptions {
    std::string prompt = "auto";  // of prompt_names(); auto: the planner's own, else full
    RewardOptions reward;
    std::vector<std::string> scorers = {"perplexity"};  // of S_r; empty: S_r counts 0
    std::filesystem::path perplexity_model;             // empty: the planner's base, as it was loaded
};

// The model that S_r depends on besides the planner's own; empty where there is none.
std::filesystem::path language_model_folder(const EnvironmentOptions& options);

// The model that measures perplexity, which the options must name, with its own tokenizer; empty where no scorer needs it.
// Throws Error as Decoder::load and open_tokenizer do.
LanguageModel open_language_model(const EnvironmentOptions& options, at::ScalarType dtype, const at::Device& device);

class RevisionEnvironment {
public:
    // Loads share/rules, share/wordings and share/prompts, and scorers' own models in this dtype on this device. Throws
    // Error on a missing file or an unknown scorer.
    RevisionEnvironment(const EnvironmentOptions& options, const LanguageModel& language_model, at::ScalarType dtype,
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
