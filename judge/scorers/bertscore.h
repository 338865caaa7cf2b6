// BERTScore (Zhang et al. 2020): how well the tokens of a text and of a reference match in the states that an encoder gives
// them. Computed as bert-score 0.3.13 does.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/ranks.h"
#include "judge/scorers/scorer.h"
#include "judge/scorers/whole_text.h"
#include "metrics/bertscore_baseline.h"
#include "model/encoder/encoder.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

struct BertScoreOptions {
    bool idf = false;                         // rare tokens weigh more, by their document frequencies; false: all weigh 1
    std::vector<std::string> documents = {};  // in which those are counted; empty: in the items' references
    std::optional<BertScoreBaseline> baseline = {};  // absent: figures stay as they are
    int64_t batch_tokens = 8192;                     // of one pass of the encoder
    int64_t group_tokens = 65536;                    // whose states are in memory at once
    Ranks* ranks = &Ranks::alone();                  // share what is computed; each is asked the same
};

struct BertScoreTexts {
    std::string prediction;
    std::vector<std::string> references;
};

// Each figure is the best one over the references, by itself, so that F1 need not be made of the precision and recall beside
// it. On -1 to 1, mostly 0 to 1, or what a baseline makes of that. Absent: its tokens all weigh nothing, of every reference.
struct BertScoreFigures {
    std::optional<double> precision, recall, f1;
    bool prediction_cut = false, prediction_empty = false;
    int64_t references_cut = 0, references_empty = 0;
};

// A text is read as the tokenizer makes of it, stripped, with the tokens that it puts around every text; these are matched,
// too, and weigh nothing. Texts longer than the model's positions are cut at their end. Where one of two texts has no tokens
// of its own, all figures are 0.
class BertScorer {
public:
    // Throws Error if the tokenizer has more tokens than the model, or the model no place for one.
    BertScorer(Encoder encoder, std::shared_ptr<const Tokenizer> tokenizer, const BertScoreOptions& options = {});

    // In the items' order, on which no digit depends. Throws Error where the model's states are not finite numbers, Stopped
    // between batches.
    std::vector<BertScoreFigures> score(const std::vector<BertScoreTexts>& items) const;
    int64_t layers() const { return encoder_.config().stack.layers; }
    const BertScoreOptions& options() const { return options_; }

private:
    struct Item {
        const WholeText* prediction = nullptr;
        std::vector<const WholeText*> references;
    };
    struct Weights {
        std::unordered_map<int64_t, double> by_token;
        double other = 1;  // of tokens that are not among them
    };
    using States = std::unordered_map<const WholeText*, at::Tensor>;

    WholeText read(const std::string& text) const;
    std::vector<Item> read_items(const std::vector<BertScoreTexts>& items,
                                 std::unordered_map<std::string, WholeText>& texts) const;
    Weights document_weights(const std::vector<std::string>& documents) const;
    States states_of(const std::vector<Item>& items, const std::vector<size_t>& group) const;
    using Matches = std::array<std::optional<double>, 3>;  // precision, recall, F1
    static BertScoreFigures counts_of(const Item& item);   // and no matches
    Matches best_matches(const Item& item, const States& states, const Weights& weights) const;

    Encoder encoder_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    BertScoreOptions options_;
    std::vector<int64_t> leading_, trailing_;
};

// F1 of revisions against the texts before them, as a scorer; 0 where no token weighs anything.
class BertScoreOfPairs : public Scorer {
public:
    explicit BertScoreOfPairs(BertScorer scorer) : scorer_(std::move(scorer)) {}
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override;
    std::string name() const override { return "bertscore"; }

private:
    BertScorer scorer_;
};

}  // namespace craft
