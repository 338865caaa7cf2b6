// FRUIT's gold test set (Logan IV et al., 2021).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"
#include "eval/editeval/edit_rows.h"
#include "eval/editeval/records.h"

namespace craft {

// JSON Lines as FRUIT's convert_task_to_jsonl.py writes them: {"inputs","targets"}, with the marks of
// eval/editeval/fruit_marks.h; other keys are not read. Items "fruit-SPLIT-0", "fruit-SPLIT-1" ... The benchmark's own
// records are taken as they are. Throws Error naming file, line and field, and as parse_fruit_source() and JsonLinesReader
// do.
void read_fruit(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                EditItems& into);

// The same of TFRecord files, as FRUIT is published, whose examples have the same two lists of texts, one after the other in
// the files' order. Throws Error naming file and record, and as tf_records() does.
void read_fruit_records(const std::vector<std::filesystem::path>& files, const std::string& prefix, EditItems& into);

}  // namespace craft
