// The scorers by name: what each needs and how it opens.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "judge/scorers/scorer.h"
#include "model/decoder/decoder.h"
#include "text/sentences.h"
#include "tokenizer/tokenizer.h"

namespace craft {

// A causal model that measures texts, with its own tokenizer.
struct LanguageModel {
    Decoder decoder;
    std::shared_ptr<const Tokenizer> tokenizer;
};

struct ScorerResources {
    std::function<LanguageModel()> language_model = nullptr;  // opens it; called by the scorers that need one
    SentenceRule sentences = SentenceRule::paper;
};

// The raw value of a revision, and of the text before it against itself, to 0-100 (CRAFT App. D.3).
using QualityScale = double (*)(double value, double initial);

// 100 (initial - value) / initial, within [0, 100]; 0 where the initial value is not a positive finite number.
double lower_is_better(double value, double initial);

struct ScorerKind {
    std::string name;
    bool needs_language_model = false;
    QualityScale scale = nullptr;  // of S_r; null: its values can be reported, not rewarded
    std::function<std::shared_ptr<Scorer>(const ScorerResources&)> open;
};

// All of them.
const std::vector<ScorerKind>& scorer_kinds();
std::vector<std::string> scorer_names();
// Throws Error listing the known ones.
const ScorerKind& scorer_kind(const std::string& name);
bool need_language_model(const std::vector<std::string>& names);
// In the order of the names. Throws Error on an unknown name and where a scorer cannot be opened.
std::vector<std::shared_ptr<Scorer>> open_scorers(const std::vector<std::string>& names, const ScorerResources& resources);

}  // namespace craft
