// A cache as JSON Lines, for other programs, and what can be saved of a damaged one.
#pragma once

#include <cstdint>

#include "core/files.h"
#include "systems/recorded/answer_cache.h"

namespace craft {

struct ExportCounts {
    int64_t answers = 0;
    int64_t damaged = 0;  // left out, for their bytes are not those that were kept
};

// One row an answer, in the order in which they were kept: {"key", "sample", "request": {...}, "text", "reasoning",
// "status", "mean_logprob", "usage": {"prompt_tokens", "new_tokens", "cached_tokens", "seconds", "retries", "usd"}, "model",
// "server" (what was known of the model that answered, by its place), "asked_at" (milliseconds since 1970), "times_asked"};
// what is not known is null. Bytes that are no UTF-8 are lone
// surrogates' escapes (systems/recorded/canonical_json.h). Damaged answers are warned of, too. Throws Error.
std::string answer_line(const StoredAnswer& answer);  // ends in "\n"
ExportCounts export_lines(const AnswerCache& cache, OutputFile& out);

}  // namespace craft
