// UpdateROUGE of FRUIT (Iv et al. 2022), as EditEval computes it (src/metrics/update_rouge.py, commit 013cd20): ROUGE of
// what a revision adds to its source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "metrics/rouge.h"

namespace craft {

// The "sentences" of a text that do not stand in the source, each without white space at its ends. A sentence is whatever
// stands between periods, with the period after it; it stands in the source if it is a part of it, its white space
// included.
std::vector<std::string> added_sentences(std::string_view source, std::string_view text);

// ROUGE of the additions of the prediction and of each reference, joined by blanks. Where neither adds anything all scores
// are 1.
std::vector<RougeScores> update_rouge(std::string_view source, std::string_view prediction,
                                      const std::vector<std::string>& references);

}  // namespace craft
