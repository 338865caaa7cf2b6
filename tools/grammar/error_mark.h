// A place in a sentence where the grammar tools see an error: words too many, words missing, words in place of others
// (GEC-Agent §3.2, Table 2, in GOPar's terms).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "english/token.h"

namespace craft {

enum class MarkKind { redundant, missing, substituted };
enum class MarkEvidence { rule, spelling, parse };

std::string_view name_of(MarkKind kind);          // "redundant", "missing", "substituted"
std::string_view name_of(MarkEvidence evidence);  // "rule", "spelling", "parse"

struct ErrorMark {
    MarkKind kind = MarkKind::substituted;
    size_t token =
        0;  // the first one that is marked; of missing words the token that they stand before, or the number of tokens
    size_t count = 1;                      // tokens from there on; 0 where words are missing
    std::string why;                       // in a clause: "'go' does not agree with 'he'"
    std::vector<std::string> suggestions;  // words to put there, the likeliest first; of redundant words none
    MarkEvidence evidence = MarkEvidence::rule;
};

// The tokens' words as they stand in the sentence; of missing words nothing.
std::string words_of(const ErrorMark& mark, const EnglishDocument& tokens);
// Where the mark begins and ends in the sentence, in Unicode code points.
size_t start_of(const ErrorMark& mark, const EnglishDocument& tokens);
size_t end_of(const ErrorMark& mark, const EnglishDocument& tokens);
// The sentence's tokens with a mark's first suggestion in place (of redundant words: without them).
std::vector<std::string> repaired_words(const ErrorMark& mark, const EnglishDocument& tokens);

// {"kind","start","end","words","why","suggestions","evidence"}.
Json to_json(const ErrorMark& mark, const EnglishDocument& tokens);
// A line as a model reads it: `substituted "go" (word 2): 'go' does not agree with 'he'; suggestions: goes`. Of contractions
// the whole word is named.
std::string to_text(const ErrorMark& mark, const EnglishDocument& tokens);

// By place; of marks that touch the same tokens the first one given stays.
std::vector<ErrorMark> without_overlaps(const std::vector<ErrorMark>& marks);

}  // namespace craft
