// What edits make of a sentence.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "gec/sentence_edit.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft::test {

// Throws Error where an edit's `from` does not stand at its place, or edits overlap or run backwards.
inline std::string applied_edits(std::string_view source, const std::vector<SentenceEdit>& edits) {
    std::string out;
    size_t at = 0;
    int64_t place = 0;  // of the byte `at`, in code points
    for (const SentenceEdit& edit : edits) {
        for (; place < edit.start && at < source.size(); ++place) {
            const size_t bytes = code_point_at(source, at).bytes;
            out.append(source.substr(at, bytes));
            at += bytes;
        }
        const auto length = static_cast<int64_t>(count_code_points(edit.from));
        if (place != edit.start || source.substr(at, edit.from.size()) != edit.from || edit.end != place + length)
            throw Error("edit at " + std::to_string(edit.start), "'" + edit.from + "'", "other words there");
        out += edit.to;
        at += edit.from.size();
        place = edit.end;
    }
    return out.append(source.substr(at));
}

}  // namespace craft::test
