// STS-B (stsb_multi_mt, English): pairs of sentences with how similar they are.
#pragma once

#include <filesystem>
#include <string>

#include "eval/editeval/records.h"

namespace craft {

// stsb-en-SPLIT.csv: sentence1, sentence2, similarity_score, with or without a line that names them. Pairs of score 5 are
// paraphrases and kept; the others are counted as "score below 5". Throws Error naming file and line: another number of
// fields, a score that is no number from 0 to 5; and as parse_csv() and read_file() do.
void read_sts(const std::filesystem::path& file, const std::string& prefix, EditItems& into);

}  // namespace craft
