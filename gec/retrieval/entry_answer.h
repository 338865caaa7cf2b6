// What a model answered that was asked for the entries of a sentence pair (GEC-Agent Appendix D).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/sentence_pair.h"
#include "gec/retrieval/grammar_entry.h"

namespace craft {

struct EntryAnswer {
    std::vector<GrammarEntry> entries;  // without rule, type and keys
    // Why there are none: "no JSON", "no list", "too many entries", "wrong fields", "unknown modification", "words that are
    // not in the sentences", "words and modification do not agree". Empty where there are some.
    std::string problem;
};

// A JSON list of {"knowledge", "modification", "from", "to", "pattern"}, all texts and no other keys, at most 20; it may
// stand in a fence of code. "from" stands in the source and "to" in the target; of an insertion "from" is empty, of a
// deletion "to". One entry that is wrong makes the whole answer unreadable. Never throws on any bytes.
EntryAnswer read_entry_answer(std::string_view reply, const SentencePair& pair);

}  // namespace craft
