// GLEU of any selection of a corpus's items, for tests that resample items.
#pragma once

#include <memory>
#include <vector>

#include "metrics/gleu_corpus.h"
#include "metrics/statistics/corpus_sums.h"

namespace craft {

// `items`: each item's counts, one for each reference; `places`: where each item stands in its file, which decides what
// the draws take. A reference that was drawn for an item stays with it however often the item is taken.
// With every item once the figure is GleuCorpus's mean to the last digit.
//
// A draw's choices take two bytes an item. Throws Error if an item has more than 65,536 references.
std::unique_ptr<CorpusSums> gleu_sums(const std::vector<std::vector<GleuCounts>>& items, const std::vector<size_t>& places,
                                      GleuDraws draws);

}  // namespace craft
