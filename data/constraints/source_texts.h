// Reads texts, and revisions of them, for the generator.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "data/constraints/generator.h"

namespace craft {

// Rows {"id","text"} of `texts`; `revisions` (empty: none) has the same form and ids. Throws Error on a missing field, a
// repeated id, a revision without its text or a text without its revision; blank texts are bad lines.
std::vector<SourceText> read_source_texts(const std::string& texts, const std::string& revisions,
                                          const JsonLinesOptions& lines);

// So that texts of every length occur where short ones are at hand: a share (0 to 1) of those of at most `max_words` words
// is joined, by a blank, to passages of two to eight; each text is used once. Texts with a revision stay. The order and the
// choice depend on the seed alone. A passage is called "passage-" with its first text's id after it.
std::vector<SourceText> with_passages(std::vector<SourceText> texts, double share, uint64_t seed, int64_t max_words = 150);

}  // namespace craft
