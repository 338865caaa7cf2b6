// From similarities of words to links between them: cost, transport and threshold of Arase et al. 2023, Unbalanced Optimal
// Transport for Unbalanced Word Alignment (§3 and §4; arithmetic and constants as in their released code).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "judge/scorers/word_aligner.h"

namespace craft {

// Likenesses are of rows x columns words, row by row, as all matrices here.
struct WordMatrix {
    size_t rows = 0, columns = 0;
    std::vector<double> values;
};

// (x - least + 1e-10) / (most - least + 1e-10) of each: to 0-1, and where all are equal to 1.
void scale_to_unit(std::vector<double>& values);

// What it costs to carry a word to another one, 0-1: 1 minus the scaled similarity (cosine + 1) / 2, of which a pair loses
// the share `distortion` (x - y)^2, where x and y are the words' places in their texts from 0 to 1. A text of one word has
// no places, and nothing is lost. `cosines` are on -1 to 1.
WordMatrix alignment_cost(const WordMatrix& cosines, double distortion);

// The plan of unbalanced transport at this cost, where each word weighs 1, scaled to 0-1.
WordMatrix alignment_plan(const WordMatrix& cost, const WordAlignerOptions& options);

// The places of the plan above the threshold, row by row.
std::vector<std::pair<size_t, size_t>> alignment_links(const WordMatrix& plan, double threshold);

// Pairs of a row and a column of which neither has a link, and that stand between the links of the nearest rows with one:
// the column is after every column of the row before and before every one of the row after. `links` are
// alignment_links()'.
std::vector<std::pair<size_t, size_t>> unlinked_in_one_place(size_t rows, size_t columns,
                                                             const std::vector<std::pair<size_t, size_t>>& links);

}  // namespace craft
