// GLEU as a metric: metrics/gleu.h for an item, metrics/gleu_corpus.h for a corpus.
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// 0-1. By default, as jfleg's script: words are what is between white space, case kept, draws of python3. EditEval's
// words are NLTK's (WordTokenizer::nltk). An item's value is smoothed and averaged over its references, as the script's with
// --sent; the corpus figure is not smoothed, and null without items. Needs source, prediction and references.
std::unique_ptr<Metric> make_gleu(const MetricOptions& options);

}  // namespace craft
