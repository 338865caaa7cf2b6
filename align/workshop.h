// Everything around a planner that rounds, evaluations and trajectories share: rules, prompts, reviser, judge.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "data/wordings.h"
#include "judge/reward.h"
#include "model/decoder.h"
#include "rollout/local_system.h"
#include "rollout/prompts.h"
#include "rollout/rules_reviser.h"
#include "rollout/session.h"
#include "tokenizer/chat_template.h"
#include "tokenizer/tokenizer.h"

namespace craft {

// A model folder opened as a planner: the base as it was loaded, and the decoder that carries the adapter and changes under
// training (they share the base's weights).
struct Planner {
    Decoder base, decoder;
    std::shared_ptr<Tokenizer> tokenizer;
    std::shared_ptr<ChatTemplate> chat;

    // Throws Error as Decoder::load, open_tokenizer and open_chat_template do.
    static Planner open(const std::filesystem::path& folder, at::ScalarType dtype, const at::Device& device);
    // Puts this PEFT folder's adapter, trainable, in place of the present one.
    void adopt(const std::filesystem::path& adapter);
};

struct WorkshopOptions {
    std::string prompt = "full";  // share/prompts/planner.NAME.txt
    RewardOptions reward;
    std::vector<std::string> scorers = {"perplexity"};  // of S_r; empty: S_r counts 0
    std::filesystem::path perplexity_model;             // empty: the planner's base model, without its adapter
};

class Workshop {
public:
    // Loads share/rules, share/wordings and share/prompts. Throws Error on a missing file or an unknown scorer.
    // `language_model` measures perplexity; `tokenizer` is its own.
    Workshop(const WorkshopOptions& options, const Decoder& language_model, std::shared_ptr<const Tokenizer> tokenizer);

    const std::shared_ptr<const Rules>& rules() const { return rules_; }
    const Wordings& wordings() const { return wordings_; }
    const PromptTemplate& prompt() const { return prompt_; }
    RulesReviser& reviser() { return reviser_; }
    Judge& judge() { return judge_; }
    SentenceRule sentences() const { return sentences_; }
    std::string free_revision(const std::string& text, Rng& rng) const;
    Session session(System& planner, SessionOptions options);
    // Versions of the files used, for manifests.
    Json versions() const;

private:
    SentenceRule sentences_;
    std::shared_ptr<const Rules> rules_;
    Wordings wordings_;
    PromptTemplate prompt_;
    WordingTable feedback_;
    RulesReviser reviser_;
    Judge judge_;
};

}  // namespace craft
