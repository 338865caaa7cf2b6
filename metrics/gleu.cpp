#include "metrics/gleu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/id_counts.h"

namespace craft {

namespace {

struct Counts {
    explicit Counts(size_t types) : source(types), prediction(types), reference(types) {}
    IdCounts source, prediction, reference;
};

// Text 0 is the source, 1 the prediction, references follow.
void count_order(const NgramIds& ngrams, size_t order, Counts& counts, std::vector<GleuCounts>& results) {
    auto& [source, prediction, reference] = counts;
    source.set(ngrams.of(0));
    prediction.set(ngrams.of(1));
    for (size_t r = 0; r < results.size(); ++r) {
        reference.set(ngrams.of(r + 2));
        int64_t matches = 0;
        for (const uint32_t id : prediction.distinct()) {
            if (reference[id] > 0) {
                matches += std::min(prediction[id], reference[id]);
            } else {
                matches -= std::min(prediction[id], source[id]);
            }
        }
        results[r].matches[order] = std::max<int64_t>(matches, 0);
        results[r].totals[order] = static_cast<int64_t>(ngrams.of(1).size());
    }
}

}  // namespace

std::vector<GleuCounts> gleu_counts(std::string source, std::string prediction, std::vector<std::string> references) {
    std::vector<std::string> texts = std::move(references);
    texts.insert(texts.begin(), {std::string(), std::string()});
    texts[0] = std::move(source);
    texts[1] = std::move(prediction);
    NgramIds ngrams(texts);
    std::vector<GleuCounts> results(texts.size() - 2);
    for (size_t r = 0; r < results.size(); ++r) {
        results[r].prediction_length = static_cast<int64_t>(ngrams.words(1));
        results[r].reference_length = static_cast<int64_t>(ngrams.words(r + 2));
    }
    size_t words = 0;  // of every order there are at most as many n-grams
    for (size_t text = 0; text < texts.size(); ++text) words += ngrams.words(text);
    Counts tallies(words);
    for (size_t order = 0; order < kGleuOrder; ++order) {
        if (order > 0) ngrams.advance();
        count_order(ngrams, order, tallies, results);
    }
    return results;
}

GleuVariables gleu_variables(const GleuCounts& counts) {
    GleuVariables variables{counts.reference_length};
    std::copy(counts.matches.begin(), counts.matches.end(), variables.begin() + 1);
    return variables;
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
