// Reads texts, and revisions of them, for the generator.
#pragma once

#include <string>
#include <vector>

#include "constraints/generator.h"
#include "core/json.h"

namespace craft {

// Rows {"id","text"} of `texts`; `revisions` (empty: none) has the same form and ids. Throws Error on a missing field, an id
// that stands twice, a revision without its text or a text without its revision; blank texts are bad lines.
std::vector<SourceText> read_source_texts(const std::string& texts, const std::string& revisions,
                                          const JsonLinesOptions& lines);

}  // namespace craft
