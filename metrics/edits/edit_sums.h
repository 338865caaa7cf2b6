// Precision, recall and F of any selection of the sentences of a result of the M2 scorer or of ERRANT's comparison.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "metrics/statistics/corpus_sums.h"

namespace craft {

// `metric` is "m2", whose sentences add {correct, proposed, gold}, or "errant", {tp, fp, fn}: what rows have as "summands".
// Which annotator a sentence was scored by stays as it is. `figure` is "precision", "recall" or f_name(beta); nullptr for
// another one, or another metric. With every sentence once it is the corpus figure to the last digit; ERRANT's are rounded
// to four digits. Throws Error(where) where a sentence has not three counts.
std::unique_ptr<CorpusSums> edit_sums(const std::string& metric, double beta, const std::string& figure,
                                      const std::vector<std::vector<int64_t>>& sentences, const std::string& where);

}  // namespace craft
