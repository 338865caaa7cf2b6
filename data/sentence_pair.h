// Sentences as somebody wrote them, beside corrected ones: what grammar agents learn from and are measured by (GEC-Agent
// §4.1).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct SentencePair {
    std::string id, source, target;        // equal texts: a correct sentence
    std::vector<std::string> error_types;  // what is wrong with the source, where somebody said so; the names are the file's
};

// By the file's name:
//   *.m2   a pair a sentence, by the edits of annotator 0, of alternatives the first; tokens stay apart by blanks. Types
//          are the edits', ids numbers from 1.
//   *.tsv  lines "source<TAB>target"; ids are the lines' numbers.
//   other  JSON Lines, {"id","source","target"} and, where there are any, "types", a list.
// Pairs of which a side is empty are left out and counted in `empty`, or bad lines where nobody counts them. What is no such
// row, a repeated id and edits that do not fit their sentence are bad lines; a file that is no M2 file is none.
// Throws Error with file:line on a bad line, unless the options have them skipped, and on a file without pairs.
std::vector<SentencePair> read_sentence_pairs(const std::string& file, int64_t* empty = nullptr,
                                              const JsonLinesOptions& options = {});
// The same of an M2 or TSV file in memory; `name`, which stands for the file, ends in .m2 or .tsv.
std::vector<SentencePair> parse_sentence_pairs(const std::string& bytes, const std::string& name, int64_t* empty = nullptr,
                                               const JsonLinesOptions& options = {});

Json to_json(const SentencePair& pair);

}  // namespace craft
