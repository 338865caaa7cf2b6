// GLEU of a corpus whose items have several references: one reference is drawn for each item, the counts are summed and
// scored, and that is done 500 times (Napoles et al. 2016, "GLEU without tuning"; jfleg's eval/gleu.py, run_iterations).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "metrics/gleu.h"
#include "metrics/gleu_draws.h"
#include "metrics/options.h"

namespace craft {

struct GleuFigures {
    double mean = 0;       // over the draws, 0-1
    double deviation = 0;  // their standard deviation (of the population, as the script's numpy.std)
};

class GleuCorpus {
public:
    static constexpr int kDraws = GleuReferenceDraws::kDraws;

    // An item's counts, one for each of its references; needs at least one. Items may have different numbers of them.
    void add(std::span<const GleuCounts> references);
    int64_t items() const { return static_cast<int64_t>(first_row_.size()); }

    // Draw j takes the generator seeded with 101 j and one reference an item, in the order in which they were added: the
    // figure hangs on that order, as the script's does. With one reference an item it does not, and is equal to that of one
    // draw. No draw of python3 is a draw of python2.
    // The draws are divided among `threads`.
    GleuFigures figures(GleuDraws draws, int iterations = kDraws, int64_t threads = 1) const;

private:
    double score(std::span<const uint32_t> chosen) const;

    GleuCounts common_;  // summed over items: what no choice changes; the rest 0
    std::vector<GleuVariables> rows_;
    std::vector<size_t> first_row_;  // of each item
    GleuReferenceDraws draws_;
};

// Mean and standard deviation of the figures of draws, which do not hang on the draws' order.
GleuFigures gleu_figures(const std::vector<double>& scores);

}  // namespace craft
