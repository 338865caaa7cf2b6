// Entries of a sentence pair made by rules: ERRANT's edits, and what is known of their types.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/sentence_pair.h"
#include "gec/retrieval/grammar_entry.h"
#include "gec/retrieval/grammar_knowledge.h"
#include "metrics/edits/edit_extraction.h"

namespace craft {

// What is known of English. Without `tokens` sentences are cut at blanks, and types say the operation alone.
struct EntryLanguage {
    std::function<AnnotatedTokens(const std::string& sentence)> tokens;
    KnownWord known_word;  // needed with `tokens`
};

// One entry an edit, from left to right; none where the sentences are equal but for white space. May be called by several
// threads at once where the language may. Throws Error as align_tokens() and edit_type() do.
std::vector<GrammarEntry> rule_entries(const SentencePair& pair, const EntryLanguage& language,
                                       const GrammarKnowledge& knowledge);

}  // namespace craft
