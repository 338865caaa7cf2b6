// The Flesch-Kincaid grade level (Kincaid et al. 1975) of predictions as EASSE 0.2.4 computes it.
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// "fkgl": 0.39 words / sentences + 11.8 syllables / words - 15.59, never below 0, of sums over the corpus; a school year,
// low is easy. Parts "words", "sentences", "syllables". Words are those of the tokeniser (13a by default), lowercased; a
// mark is a word without syllables, as there. A sentence is a line with a word in it, or a whole text without words (EASSE
// asks NLTK's Punkt model), or with `sentences` icu what ICU finds in the text. A text without words has 0. Needs the
// prediction alone.
std::unique_ptr<Metric> make_fkgl(const MetricOptions& options);

}  // namespace craft
