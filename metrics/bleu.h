// BLEU as a metric: sacreBLEU's, and EditEval's with its iBLEU.
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// "bleu", of counts summed over the corpus; parts "precisions", "bp", "sys_len", "ref_len", and of the corpus "counts" and
// "totals". Variant `sacrebleu` (the default): sacreBLEU 2.6.0, 0-100, cased, 13a, the closest reference's length,
// exponential smoothing; an item's value is its sentence_bleu, which leaves out the n that a prediction is too short for.
// Variant `editeval`: EditEval's `bleu` (tensorflow/nmt), 0-1, NLTK's words, the shortest reference's length, no smoothing,
// an item is a corpus of one. Needs prediction and references, whose number may differ between items.
std::unique_ptr<Metric> make_bleu(const MetricOptions& options);

// "ibleu" (Sun and Zhou 2012) as EditEval computes it, -0.1 to 0.9: 0.9 BLEU against the references - 0.1 BLEU against the
// source, both of variant `editeval`; parts "bleu" and "source_bleu". Needs source, prediction and references.
std::unique_ptr<Metric> make_ibleu(const MetricOptions& options);

}  // namespace craft
