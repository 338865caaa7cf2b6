// IteraTeR (Du et al., 2022), its sentences with human labels.
#pragma once

#include <filesystem>
#include <string>

#include "core/json.h"
#include "eval/editeval/records.h"

namespace craft {

// Rows of the Hub's JSON Lines: {"before_sent","after_sent","labels"}; other keys are not read. Kept are those of the one
// label, of fluency, clarity and coherence; ids "PREFIX-i" count the rows of all three, so that an id is one row's whatever
// label is read. Counted and left out: rows of other labels as "another label" (each of the other two as well), and those
// whose revision is at most one character long. Throws Error naming file, line and field; and as JsonLinesReader does.
void read_iterater(const std::filesystem::path& file, const std::string& label, const std::string& prefix,
                   const JsonLinesOptions& lines, EditItems& into);

}  // namespace craft
