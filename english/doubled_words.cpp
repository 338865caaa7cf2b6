#include "english/doubled_words.h"

#include <algorithm>

#include "english/indefinite_article.h"
#include "english/parsed_sentence.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_question_word(const EnglishToken& token) {
    return is_one_of(token.lower,
                     {"what", "who", "whom", "whose", "which", "where", "when", "why", "how", "whatever", "whoever", "all"});
}

}  // namespace

bool may_stand_twice(const EnglishDocument& tokens, size_t second) {
    const EnglishToken &first = tokens[second - 1], &again = tokens[second];
    if (is_one_of(again.lower, {"that", "had",   "very", "really", "so",   "no",    "ha",    "ho",   "hey",  "oh",
                                "yes",  "bye",   "now",  "well",   "much", "far",   "long",  "more", "many", "again",
                                "blah", "knock", "boo",  "tut",    "hear", "there", "never", "ok",   "okay"}))
        return true;
    // Names: both with a capital, also at the beginning, where any first word has one.
    if (lowercase(again.text) != again.text && lowercase(first.text) != first.text &&
        !is_one_of(again.tag, {"DT", "IN", "PRP"}))
        return true;
    if (again.lower == "a" && stands_for_itself(tokens, second)) return true;  // "a A-level", whatever else is wrong with it
    if (is_one_of(again.lower, {"in", "on", "out", "up", "over", "off"})) return first.tag == "RP" || first.dep == "prt";
    // A clause that a question word begins ends with the first of them, and the verb after it is the second.
    if (!is_one_of(again.lower, {"is", "are", "was", "were", "do", "does", "did", "has", "have", "can"})) return false;
    return std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(second) - 1, is_question_word);
}

}  // namespace craft
