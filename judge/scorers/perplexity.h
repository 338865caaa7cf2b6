// Perplexity of revisions under a small language model of ours (CRAFT App. D.3): exp(sum nll / sum tokens)
// over the sentences of a text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/ranks.h"
#include "judge/scorers/scorer.h"
#include "model/decoder/decoder.h"
#include "model/tokenizer/tokenizer.h"
#include "text/sentences.h"

namespace craft {

// A sentence as perplexity reads it: the tokenizer's leading tokens or, where it has none, its end token, which do not
// count; then its own. Throws Error if the tokenizer has neither.
MaskedTokens perplexity_tokens(const Tokenizer& tokenizer, const std::string& sentence);

// How unlikely tokens are: the negative logarithm of their probability, natural, and how many they are.
struct TokenNll {
    double sum = 0;
    int64_t tokens = 0;
    double perplexity() const;  // infinity without tokens
};

struct PerplexityOptions {
    int64_t batch_tokens = 4096;  // tokens of one forward pass
    SentenceRule sentences = SentenceRule::paper;
    Ranks* ranks = &Ranks::alone();  // share what is computed; each is asked the same
};

// Every sentence is a sequence of its own (perplexity_tokens). A sentence longer than the model's positions is read in
// pieces that begin in the same way. A sentence that is repeated within a call is computed once. Nothing is kept between
// calls, since the last bits of a sentence's value depend on its batch, and a restarted run must get the same values for the
// same call.
class PerplexityScorer : public Scorer {
public:
    // Throws Error if the tokenizer has neither leading nor end token, or more tokens than the model.
    PerplexityScorer(Decoder decoder, std::shared_ptr<const Tokenizer> tokenizer, const PerplexityOptions& options = {});

    // Of each text, over its sentences.
    std::vector<TokenNll> likelihoods(const std::vector<std::string>& texts) const;
    // Perplexity of each hypothesis; infinity for one without tokens.
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override;
    std::string name() const override { return "perplexity"; }
    const PerplexityOptions& options() const { return options_; }

private:
    struct Pieces {
        std::vector<TokenTree> trees;
        std::vector<TokenNll*> owners;  // one a tree
    };
    void add_pieces(const std::string& sentence, TokenNll* into, Pieces& pieces) const;
    void compute(const Pieces& pieces) const;

    Decoder decoder_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    PerplexityOptions options_;
    std::vector<int64_t> start_;
};

}  // namespace craft
