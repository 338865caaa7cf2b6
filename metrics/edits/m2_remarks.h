// What readers of an M2 file should know of it although it can be read.
#pragma once

#include <cstdint>

#include "metrics/edits/m2_file.h"

namespace craft {

struct M2Remark {
    int64_t count = 0;
    int64_t line = 0;       // of the first one's S line
    int64_t annotator = 0;  // the first one's
};

// Whether this edit of a sentence, counted from 0, stands in it once before: of the same annotator and span, with the same
// corrections, whatever its type. A noop is none.
bool is_repeated(const M2Sentence& sentence, size_t edit);
M2Remark repeated_edits(const M2File& file);
// Annotators of the file that have no line, not even a noop, in a sentence in which another one has: so often in all. A
// sentence without any line is one in which nobody found anything.
M2Remark missing_annotators(const M2File& file);

}  // namespace craft
