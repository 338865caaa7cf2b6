// WAFER (Petroni et al., 2022) as EditEval inserts its claims.
#pragma once

#include <filesystem>

#include "core/json.h"
#include "eval/editeval/edit_rows.h"
#include "eval/editeval/records.h"

namespace craft {

// KILT's JSON Lines: {"id","input","output":[{"provenance":[{"title","text"}…]}…],"meta":{"sentences","wikipedia_title"}},
// and "retrieved_documents" as further ones. The claim is the last of the sentences; one that is "B" or "C" alone is passed
// over. What eval/editeval/wafer_text.h cannot make a text of is left out and counted by its reason, as rows are whose text
// has another title than the article. The benchmark's own records are taken as they are. Throws Error naming file, line and
// field on missing fields and wrong types, and as JsonLinesReader does.
void read_wafer(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                EditItems& into);

}  // namespace craft
