// BARTScore (Yuan et al. 2021): how likely an encoder-decoder finds a revision given the text before it, as neulab/BARTScore
// computes it and CRAFT App. D.3 uses it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ranks.h"
#include "judge/scorers/scorer.h"
#include "model/encoder/seq2seq.h"
#include "model/tokenizer/tokenizer.h"
#include "text/sentences.h"

namespace craft {

// Whose tokens count: the revision's given the text before it, the text's given the revision, or the mean of both (the
// paper's F, of faithfulness and its reverse, or with a reference in the text's place of precision and recall).
enum class BartScoreDirection { forward, backward, f };
std::string bartscore_direction_name(BartScoreDirection direction);  // "forward"

struct BartScoreOptions {
    int64_t batch_tokens = 4096;  // of one pass, sources and targets together
    BartScoreDirection direction = BartScoreDirection::forward;
    SentenceRule sentences = SentenceRule::paper;
    Ranks* ranks = &Ranks::alone();  // share what is computed; each is asked the same
};

struct BartScoreFigure {
    double value = 0;                         // in the direction that was asked for
    std::optional<double> forward, backward;  // what it is made of
    int64_t cut = 0;                          // texts, or sentences, that were longer than the model's positions
};

// The mean log-probability (natural; 0 is the best) of the target's tokens, those around every text included. Where both
// texts have equally many sentences, it is the mean over these, each given the one of its number; else that of the whole
// texts. What is longer than the model's positions is cut at its end.
class BartScorer : public Scorer {
public:
    // Throws Error if the tokenizer has more tokens than the model or puts none around a text.
    BartScorer(Seq2Seq model, std::shared_ptr<const Tokenizer> tokenizer, const BartScoreOptions& options = {});

    // In the pairs' order, on which no digit depends. Throws Error where probabilities are not finite numbers, Stopped
    // between batches.
    std::vector<BartScoreFigure> figures(const std::vector<ScoredPair>& pairs) const;
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override;
    std::string name() const override;  // "bartscore"; "bartscore_backward", "bartscore_f" in these directions
    const BartScoreOptions& options() const { return options_; }

private:
    // Token ids of a source and of a target: what is computed once, however often it is asked for.
    using Known = std::map<std::pair<std::vector<int64_t>, std::vector<int64_t>>, double>;
    struct Parts {
        std::vector<Known::iterator> forward, backward;  // of each sentence, or of the whole texts
    };
    Parts read(const ScoredPair& pair, Known& known, int64_t& cut) const;
    void compute(Known& known) const;
    std::vector<double> means(const std::vector<Seq2SeqRow>& rows) const;

    Seq2Seq model_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    BartScoreOptions options_;
};

}  // namespace craft
