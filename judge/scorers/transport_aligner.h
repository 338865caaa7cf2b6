// The word aligner by unbalanced optimal transport (Arase et al. 2023; policy simplification §2.2): what word_states.h and
// word_links.h make of pairs.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "judge/scorers/word_aligner.h"
#include "judge/scorers/word_links.h"
#include "judge/scorers/word_states.h"

namespace craft {

struct TransportedPair {
    WordAlignment alignment;
    WordMatrix plan;  // of all words, scaled to 0-1; 0 for words without tokens
};

using WordPair = std::pair<std::string, std::string>;  // source, candidate

class TransportAligner : public WordAligner {
public:
    // Throws Error as WordEncoder does, and on a mean of another size than the encoder's states.
    TransportAligner(Encoder encoder, std::shared_ptr<const Tokenizer> tokenizer, WordAlignerOptions options = {});

    std::vector<WordAlignment> align(const std::vector<WordPair>& pairs) override;
    // The same with the plans that the links come from, each recomputed.
    std::vector<TransportedPair> transport(const std::vector<WordPair>& pairs);
    // What `mean` is of these pairs: of all tokens that the encoder reads, equal pairs counted as often as they stand.
    std::vector<double> mean_of(const std::vector<WordPair>& pairs);
    // From here on. Throws Error on one of another size.
    void set_mean(std::vector<double> mean);
    const WordAlignerOptions& options() const { return options_; }

private:
    struct Item;
    struct Batch;
    std::vector<Item> distinct_items(const std::vector<WordPair>& pairs, std::vector<size_t>& item_of) const;
    std::vector<Batch> batches_of(const std::vector<Item>& items) const;
    at::Tensor mean_tensor() const;
    at::Tensor mean_of_items(std::vector<Item>& items, const std::vector<Batch>& batches, bool keep) const;
    void link(Item& item, const at::Tensor& mean) const;
    void link_all(std::vector<Item>& items, bool keep_plans) const;

    WordEncoder encoder_;
    WordAlignerOptions options_;
    std::mutex one_at_a_time_;
    std::unordered_map<std::string, WordAlignment> known_;  // with a given mean: by the pair's words
};

// An encoder's folder as aligner. Throws Error as Encoder::load and open_tokenizer do.
std::unique_ptr<TransportAligner> open_word_aligner(const std::filesystem::path& encoder, const WordAlignerOptions& options,
                                                    at::ScalarType dtype, const at::Device& device);

}  // namespace craft
