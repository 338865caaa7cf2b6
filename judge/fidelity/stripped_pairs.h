// Texts and revisions without their LaTeX, for metrics of quality (CRAFT Table 8).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "judge/fidelity/keyword_preservation.h"
#include "judge/fidelity/text_pairs.h"

namespace craft {

struct StrippedPairs {
    std::vector<Json> rows;                                         // {"id","source","prediction"}: what `eval metric` reads
    int64_t not_counted = 0;                                        // pairs left out: their texts have too little LaTeX
    int64_t empty = 0;                                              // rows of whose revision nothing is left
    std::map<std::string, int64_t> sources = {}, predictions = {};  // what was taken out, by kind (LatexText::dropped)
};

// The pairs that `preservation`, made of the same texts, counts, so that all columns of the table are of the same
// paragraphs; words by latex_text(). Throws std::logic_error if it was made of others.
StrippedPairs strip_pairs(const TextPairs& texts, const PreservationEvaluation& preservation);

// {"rows","not_counted","empty","source":{kind:count},"prediction":{...}}
Json to_json(const StrippedPairs& stripped);

}  // namespace craft
