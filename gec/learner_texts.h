// The texts that are corrected: JSON Lines or plain lines.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "data/revised_text.h"

namespace craft {

// Of a file whose name ends in .jsonl or .json, and of stdin (`-`): rows {"id","text"}, other keys ignored. Of every other
// one: a text a line, with the line's number as its id; empty lines are texts, too. A bad row, a repeated id and a
// line that is not UTF-8 are bad lines. Throws Error on one, unless the options have them skipped, and on no text at all.
std::vector<RevisedText> read_learner_texts(const std::string& path, const JsonLinesOptions& options = {});

}  // namespace craft
