// What the commands share that score texts and edits.
#pragma once

#include <cstdint>
#include <string>

#include "core/options.h"
#include "metrics/edits/m2_file.h"

namespace craft {

// --beta: the weight of recall in F.
Option& bind_beta(OptionTable& table, double& beta);
// Says how many edits of the file reach beyond their sentences, if there are any, and what becomes of them.
void warn_of_edits_outside(const M2File& file, const std::string& consequence);

// Says how many edits of the file an annotator lists again, if there are any, and what becomes of them; and how often one of
// its annotators has no line for a sentence.
void warn_of_repeated_edits(const M2File& file, const std::string& consequence);
void warn_of_missing_annotators(const M2File& file);

// Says how many lines of the file were passed over, if there are any.
void warn_of_passed_lines(const M2File& file);

}  // namespace craft
