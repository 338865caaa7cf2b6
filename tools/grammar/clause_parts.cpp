#include "tools/grammar/clause_parts.h"

namespace craft {

SentenceEnds sentence_around(const ParsedSentence& tree, size_t token) {
    SentenceEnds ends{token, token};
    while (ends.begin > 0 && !tree[ends.begin].sentence_start) --ends.begin;
    while (ends.end + 1 < tree.size() && !tree[ends.end + 1].sentence_start) ++ends.end;
    return ends;
}

bool is_noun_tag(const ParsedSentence& tree, size_t i) {
    return tree.is_tag(i, {"NN", "NNS", "NNP", "NNPS"});
}

bool is_in_noun_phrase(const ParsedSentence& tree, size_t i) {
    return is_noun_tag(tree, i) || tree.is_tag(i, {"DT", "PRP$", "JJ", "JJR", "JJS", "CD", "POS", "HYPH", "PDT"}) ||
           (tree.is_tag(i, {"VBN", "VBG"}) && tree.dep(i) == "amod");
}

bool begins_clause(const ParsedSentence& tree, size_t i) {
    if (i == 0 || tree[i].sentence_start) return true;
    return tree.is_lower(i - 1, {",",     ";",       ":",    "that",   "because", "if",    "although", "though",
                                 "while", "whereas", "and",  "but",    "so",      "or",    "unless",   "what",
                                 "when",  "where",   "once", "before", "until",   "which", "whether",  "wherever"}) ||
           tree.is_tag(i - 1, {"``", "''"});
}

size_t begin_of_subject(const ParsedSentence& tree, size_t last) {
    size_t at = last;
    for (size_t i = last + 1; i-- > 0;) {
        if (!is_in_noun_phrase(tree, i) &&
            !(tree.is_lower(i, {"of", "on", "in", "at", "from", "with", "for"}) && i > 0 && is_noun_tag(tree, i - 1)) &&
            !(tree.is_lower(i, {"and"}) && i > 0 && is_noun_tag(tree, i - 1)))
            break;
        at = i;
        if (begins_clause(tree, i)) return i;
    }
    return begins_clause(tree, at) ? at : tree.size();
}

}  // namespace craft
