// Sentences for counts, ids and lengths (docs/definitions.md, Tools).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace craft {

enum class SentenceRule {
    paper,  // CRAFT's tools: split after . ! or ? where at least one blank (U+0020) follows; a newline or a tab does not
            // split; each stripped of white space
    icu,    // ICU's English break iterator
};

// Never returns empty sentences; an empty or blank text has none. Throws Error if `text` is not UTF-8 (icu only).
std::vector<std::string> split_sentences(std::string_view text, SentenceRule rule = SentenceRule::paper);
// The same as parts of `text`: what is between them can be kept when a revision is put together.
std::vector<std::string_view> sentence_views(std::string_view text, SentenceRule rule = SentenceRule::paper);
// The sentence, stripped, without its last . ! or ? (one of them, at its end): what came before the mark stays, blanks too.
std::string bare_sentence(std::string_view sentence);

std::string sentence_rule_name(SentenceRule rule);  // "paper" or "icu"

}  // namespace craft
