// IteraTeR (Du et al., 2022), its sentences with human labels.
#pragma once

#include <filesystem>
#include <string>

#include "core/json.h"
#include "eval/editeval/edit_rows.h"
#include "eval/editeval/records.h"

namespace craft {

// Rows of the Hub's JSON Lines: {"before_sent","after_sent","labels"}; other keys are not read. Kept are those of the
// task's label; ids "iterater-SPLIT-i" count the rows of fluency, clarity and coherence, so that an id is one row's whatever
// label is read. The benchmark's own records are taken as they are. Counted and left out: rows of other labels as "another
// label" (each of the other two as well), and those whose revision is at most one character long. Throws Error naming file,
// line and field; and as JsonLinesReader does.
void read_iterater(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                   EditItems& into);

}  // namespace craft
