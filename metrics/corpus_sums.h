// Corpus figures of any selection of the items of a result, made of what its rows say they add ("summands").
#pragma once

#include <memory>
#include <string>

#include "core/json.h"
#include "metrics/metric.h"

namespace craft {

// `metric` and `options` as a result names them, `figure` a key of its corpus. With every item once it is the corpus figure
// to the last digit. nullptr where there is no such metric, or where that figure is none of summands. Throws Error(where)
// for options that the metric does not have and for counts that are not its own.
std::unique_ptr<CorpusSums> corpus_sums(const std::string& metric, const Json& options, const std::string& figure,
                                        const SummedItems& items, const std::string& where);

}  // namespace craft
