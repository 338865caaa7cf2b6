// BARTScore (Yuan et al. 2021): how likely an encoder-decoder finds a revision given the text before it, as neulab/BARTScore
// computes it and CRAFT App. D.3 uses it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "judge/scorers/scorer.h"
#include "model/encoder/seq2seq.h"
#include "text/sentences.h"
#include "tokenizer/tokenizer.h"

namespace craft {

struct BartScoreOptions {
    int64_t batch_tokens = 4096;  // of one pass, sources and targets together
    SentenceRule sentences = SentenceRule::paper;
};

struct BartScoreFigure {
    double value = 0;
    int64_t cut = 0;  // texts, or sentences, that were longer than the model's positions
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
    std::string name() const override { return "bartscore"; }
    const BartScoreOptions& options() const { return options_; }

private:
    std::vector<double> means(const std::vector<Seq2SeqRow>& rows) const;

    Seq2Seq model_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    BartScoreOptions options_;
};

}  // namespace craft
