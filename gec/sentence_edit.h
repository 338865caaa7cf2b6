// What was changed between two sentences, as typed edits (GEC-Agent §3.2, Table 2).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"

namespace craft {

enum class EditOperation {
    insert,
    remove,
    transform,
    rearrange  // the same words in another order
};
// "insert", "delete", "transform", "rearrange".
const char* operation_name(EditOperation operation);

// text[start:end], in Unicode code points of the original sentence, is `from` and becomes `to`. Both hold the white space
// that comes or goes with the words; changed white space alone is an edit, too.
struct SentenceEdit {
    int64_t start = 0, end = 0;
    EditOperation operation = EditOperation::transform;
    std::string from, to;
    bool operator==(const SentenceEdit&) const = default;
};

// Word by word (gec/sentence_words.h), as few and as small as changed_words() finds them, left to right. Applied, they give
// `target`, whatever the bytes of both.
std::vector<SentenceEdit> edits_between(std::string_view source, std::string_view target);

// {"start","end","operation","from","to"}.
Json to_json(const SentenceEdit& edit);
Json to_json(const std::vector<SentenceEdit>& edits);

}  // namespace craft
