// Estimates of a revision's quality that need no reference, as EASSE 0.2.4 reports them (its functions are those of
// facebookresearch/text-simplification-evaluation).
#pragma once

#include <memory>

#include "metrics/metric.h"
#include "metrics/options.h"

namespace craft {

// "quality" is the compression ratio, which is also a part: no single figure is quality. Parts, all of prediction and source
// as the tokeniser's words (13a, lowercased, by default: EASSE's command) with a blank between them:
//
//   compression_ratio       characters of the prediction / of the source
//
//   sentence_splits         sentences of the prediction / of the source: by default ICU's, of the texts as they stand
//                           (EASSE asks NLTK's Punkt model)
//
//   levenshtein_similarity  0-1 (indel_similarity() of text/character_similarity.h)
//
//   exact_copies            1 where both are equal, else 0
//
//   additions_proportion    words of the prediction that the source does not have as often / the larger number of words
//
//   deletions_proportion    words of the source that the prediction does not have as often / the larger number of words
//
//   f1_token                0-100, EASSE's F1 of words against the reference that fits best; null without references
//
// x/0 is 0. The corpus figures are means over items, in f1_token over those with references. EASSE's lexical complexity is
// not among them: it needs the ranks of 50,000 words in fastText's English vectors, which do not ship. Needs source and
// prediction.
std::unique_ptr<Metric> make_quality(const MetricOptions& options);

}  // namespace craft
