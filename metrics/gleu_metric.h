// GLEU as a metric: metrics/gleu.h for an item, metrics/gleu_corpus.h for a corpus.
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// 0-1, case kept. Tokens are what stands between white space (jfleg's script) or NLTK's (EditEval: `--tokenizer nltk`);
// `draws` is python3 by default. An item's value is smoothed and averaged over its references, as the script's with --sent;
// the corpus figure is not smoothed, and null without items. Needs source, prediction and references.
std::unique_ptr<Metric> make_gleu(const MetricOptions& options);

}  // namespace craft
