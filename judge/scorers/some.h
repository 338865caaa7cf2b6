// SOME (Yoshimura et al. 2020): grammaticality, fluency and meaning of a revision, each by a regressor of its own, as
// kokeman/SOME weighs them and CRAFT App. D.3 uses them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/ranks.h"
#include "judge/scorers/scorer.h"
#include "model/encoder/encoder.h"
#include "model/tokenizer/tokenizer.h"
#include "text/sentences.h"

namespace craft {

struct SomeOptions {
    bool grammaticality_alone = false;  // as CRAFT's released code has it; false: .55, .43 and .02 of the three
    int64_t batch_tokens = 4096;        // of one pass of a regressor
    int64_t max_tokens = 128;           // of a regressor's input, those around the texts included; what is more is cut
    SentenceRule sentences = SentenceRule::paper;
    Ranks* ranks = &Ranks::alone();  // share what is computed; each is asked the same
};

// An encoder with a regression head that gives 1 to 4, and its tokenizer.
struct Regressor {
    Encoder encoder;
    std::shared_ptr<const Tokenizer> tokenizer;
};

struct SomeRegressors {
    Regressor grammaticality;          // of the revision
    std::optional<Regressor> fluency;  // of the revision
    std::optional<Regressor> meaning;  // of text and revision as a pair; both absent: grammaticality alone is asked for
    int64_t max_tokens() const;        // that all of them have positions for
};

// From a folder with the sub-folders `grammer` (as SOME's authors spell it; or `grammaticality`), `fluency` and `meaning`,
// of which the latter two are not looked for where grammaticality alone is wanted. Throws Error naming the sub-folder that
// is missing, and what is wrong with a model.
SomeRegressors open_some(const std::filesystem::path& folder, bool grammaticality_alone, at::ScalarType dtype,
                         const at::Device& device);

// On 0 to 1, as long as the regressors keep to 1 to 4.
struct SomeFigures {
    double some = 0, grammaticality = 0;
    std::optional<double> fluency, meaning;
    int64_t cut = 0;  // inputs that were longer than options.max_tokens
};

// (x - 1) / 3 of each regressor. Where text and revision have equally many sentences, figures are means over these, else
// those of the whole texts.
class SomeScorer : public Scorer {
public:
    // Throws Error on a regressor without a head, with fewer positions than max_tokens or fewer tokens than its tokenizer,
    // and on one of meaning whose tokens have no types.
    SomeScorer(SomeRegressors regressors, const SomeOptions& options = {});

    // In the pairs' order, on which no digit depends. Throws Error where a regressor's numbers are not finite, Stopped
    // between batches.
    std::vector<SomeFigures> figures(const std::vector<ScoredPair>& pairs) const;
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override;
    std::string name() const override { return "some"; }
    const SomeOptions& options() const { return options_; }

private:
    SomeRegressors regressors_;
    SomeOptions options_;
};

}  // namespace craft
