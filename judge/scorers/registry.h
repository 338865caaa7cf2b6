// The scorers by name: what each needs and how it opens. A scorer is asked for by its name, and where it needs something of
// its own by `NAME:WHAT`, e.g. `bartscore:MODEL` or `external:COMMAND`.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/process/json_command.h"
#include "judge/fidelity/keyword_preservation.h"
#include "judge/scorers/scorer.h"
#include "model/decoder/decoder.h"
#include "model/tokenizer/tokenizer.h"
#include "text/sentences.h"

namespace craft {

// A causal model that measures texts, with its own tokenizer.
struct LanguageModel {
    Decoder decoder;
    std::shared_ptr<const Tokenizer> tokenizer;
};

struct ScorerResources {
    std::function<LanguageModel()> language_model = nullptr;  // opens it; called by the scorers that need one
    SentenceRule sentences = SentenceRule::paper;
    std::string what = {};              // comes after the name; set by open_scorers()
    at::ScalarType dtype = at::kFloat;  // of models that are opened by their folders, and where they compute
    at::Device device = at::kCPU;
    KeywordFinder entities = nullptr;  // finds names; null: `entities` needs a command
    JsonCommandOptions command = {};   // time-out and restarts of commands
};

// The raw value of a revision, and of the text before it against itself, to 0-100 (CRAFT App. D.3).
using QualityScale = double (*)(double value, double initial);

// 100 (initial - value) / initial, within [0, 100]; 0 where the initial value is not a positive finite number.
double lower_is_better(double value, double initial);
// 100 (value + 10) / (initial + 10), within [0, 100]; 0 where the initial value is -10 or less.
double bartscore_quality(double value, double initial);
// 100 value, within [0, 100].
double share_quality(double value, double initial);

struct ScorerKind {
    std::string name;
    bool needs_language_model = false;
    QualityScale scale = nullptr;  // of S_r; null: its values can be reported, not rewarded
    std::function<std::shared_ptr<Scorer>(const ScorerResources&)> open;
    std::string what = {};     // what may come after its name, in a word; empty: nothing may
    bool needs_what = false;   // and must
    bool tells_scale = false;  // its values come with their scale (Scorer::scale())
    bool more_is_better = true;
};

// All of them.
const std::vector<ScorerKind>& scorer_kinds();
std::vector<std::string> scorer_names();
// Of a name, whatever comes after it. Throws Error listing the known ones.
const ScorerKind& scorer_kind(const std::string& name);
std::string scorer_form(const ScorerKind& kind);  // how it is asked for: "bartscore:MODEL", "entities[:COMMAND]"
// Whether `name` asks for this kind, with what it needs after its name and nothing that it does not take.
bool names_scorer(const std::string& name, const ScorerKind& kind);
// Whether some of them ask for ScorerResources::language_model.
bool need_language_model(const std::vector<std::string>& names);
// Where the models lie that their names name, found as bind_model() finds them (core/model_cache.h); each once.
std::vector<std::filesystem::path> scorer_models(const std::vector<std::string>& names);
// In the order of the names. Throws Error on an unknown name, on one without what it needs or with what it does not take,
// and where a scorer cannot be opened.
std::vector<std::shared_ptr<Scorer>> open_scorers(const std::vector<std::string>& names, const ScorerResources& resources);

}  // namespace craft
