// From texts to edits: ERRANT's extraction (errant 3.0.2, annotator.py and commands/parallel_to_m2.py).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "metrics/edits/annotated_token.h"
#include "metrics/edits/edit_merging.h"
#include "metrics/edits/edit_types.h"
#include "metrics/edits/m2_file.h"
#include "text/text_lines.h"

namespace craft {

struct TypedEdit {
    int64_t source_start = 0, source_end = 0, target_start = 0, target_end = 0;
    std::string type;
};

// What is known of English. Without `annotate` tokens are texts alone: spans come of the alignment by letters, and of types
// the operation is said and the category is OTHER.
struct EditLanguage {
    // The tokens of a sentence, as many as there are texts; null: no model.
    std::function<AnnotatedTokens(const std::vector<std::string>&)> annotate;
    KnownWord known_word;  // needed with `annotate`
    EditMerging merging = EditMerging::rules;
};

// The edits that make the target of the source, from left to right. Both come from language.annotate(), or both from
// plain_tokens(). Throws Error as align_tokens() and edit_type() do.
std::vector<TypedEdit> edits_of(const AnnotatedTokens& source, const AnnotatedTokens& target, const EditLanguage& language);

struct ExtractedEdits {
    M2File file;
    int64_t empty_sources = 0;  // lines without a token, which M2 files do not have
};

// An M2 file of the edits of each hypothesis, an annotator each, tokens split at white space. A hypothesis that changes
// nothing is a noop. `threads` work on sentences side by side, so language.annotate and known_word must bear that; what
// comes out does not depend on their number. Throws Error if the source has no sentence or a file of hypotheses not a line
// for each of its lines, with both counts and the line where the shorter one ends, and with the file and line where a
// sentence takes too long or a correction would be read back as another one.
ExtractedEdits extract_edits(const SentenceFile& source, const std::vector<SentenceFile>& hypotheses,
                             const EditLanguage& language, int64_t threads = 1);

}  // namespace craft
