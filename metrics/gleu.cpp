#include "metrics/gleu.h"

#include <algorithm>
#include <cmath>

namespace craft {

namespace {

// Sequence 0 is the source, 1 the prediction, references follow.
void count_order(const IdSequences& ngrams, size_t order, std::vector<GleuCounts>& results) {
    IdCounts source(ngrams.count), prediction(ngrams.count), reference(ngrams.count);
    source.set(ngrams.ids[0]);
    prediction.set(ngrams.ids[1]);
    for (size_t r = 0; r < results.size(); ++r) {
        reference.set(ngrams.ids[r + 2]);
        int64_t matches = 0;
        for (const uint32_t id : prediction.distinct()) {
            if (reference[id] > 0) {
                matches += std::min(prediction[id], reference[id]);
            } else {
                matches -= std::min(prediction[id], source[id]);
            }
        }
        results[r].matches[order] = std::max<int64_t>(matches, 0);
        results[r].totals[order] = static_cast<int64_t>(ngrams.ids[1].size());
    }
}

}  // namespace

std::vector<GleuCounts> gleu_counts(const TokenTexts& source, const TokenTexts& prediction,
                                    std::span<const TokenTexts> references) {
    std::vector<TokenTexts> sequences{source, prediction};
    sequences.insert(sequences.end(), references.begin(), references.end());
    std::vector<GleuCounts> results(references.size());
    for (size_t r = 0; r < results.size(); ++r) {
        results[r].prediction_length = static_cast<int64_t>(prediction.size());
        results[r].reference_length = static_cast<int64_t>(references[r].size());
    }
    const IdSequences tokens = token_ids(sequences);
    count_order(tokens, 0, results);
    IdSequences longer = tokens;
    for (int n = 2; n <= kGleuOrder; ++n) {
        longer = ngram_ids(tokens, longer, n);
        count_order(longer, static_cast<size_t>(n) - 1, results);
    }
    return results;
}

double gleu(const GleuCounts& counts, bool smooth) {
    const auto number = [smooth](int64_t count) { return static_cast<double>(smooth && count == 0 ? 1 : count); };
    const double c = number(counts.prediction_length), r = number(counts.reference_length);
    if (c == 0 || r == 0) return 0;
    double logs = 0;
    for (size_t n = 0; n < kGleuOrder; ++n) {
        const double matches = number(counts.matches[n]), total = number(counts.totals[n]);
        if (matches == 0 || total == 0) return 0;
        logs += std::log(matches / total);
    }
    return std::exp(std::min(0.0, 1 - r / c) + logs / kGleuOrder);
}

}  // namespace craft
