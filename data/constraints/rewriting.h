// What a model made of an instruction that it was to put into other words (CRAFT App. C.2): taken, or refused and why.
#pragma once

#include <string>
#include <string_view>

#include "data/constraints/reading_vocabulary.h"
#include "data/instruction.h"
#include "text/sentences.h"
#include "text/wording_table.h"
#include "tools/leniency.h"

namespace craft {

struct RewrittenInstruction {
    std::string text;     // empty where refused
    std::string refused;  // rewriting_problem(), or "empty", "unrelated", "unchanged", "asks back", "too long"; empty: taken
    Leniency noted;       // what was taken off: as RevisionReply::noted, but for "unchanged"
};

// `replies` is share/prompts/rewriter_replies.json, `vocabulary` rewriter_reading.json beside it; `rule` counts the
// sentences of the text that are named by their place. Never throws on any bytes.
RewrittenInstruction read_rewriting(std::string_view reply, const Instruction& original, const WordingTable& replies,
                                    const ReadingVocabulary& vocabulary, SentenceRule rule = SentenceRule::paper);

// Why `rewritten` does not ask for what the gold calls ask for, each of them once and nothing else; empty: it does.
// Sentences and lines that it leaves as they were, with the phrases of the original, are not read: they ask for what they
// asked for. "vague bound": "about" or the like beside a number. "unread": a clause about a count, a keyword or a sentence
// cannot be read with certainty. "unknown word": a word beside the limits may change what is asked. "lost limit", "new
// limit", "another limit": a call is not asked for, one more is, or one is with another value, on another side or the other
// way round. "new number", "new quotation": it says one, beside its limits, that the original does not. "goes on": a second
// paragraph asks for nothing, and the original has one paragraph.
std::string rewriting_problem(const std::string& rewritten, const Instruction& original, const ReadingVocabulary& vocabulary,
                              SentenceRule rule = SentenceRule::paper);

// How the gold calls of an instruction that is given contradict its text (a sentence, or a keyword to keep, that the text
// does not have) or its words, where these can be read with certainty; empty: they do not.
std::string gold_problem(const Instruction& instruction, const ReadingVocabulary& vocabulary,
                         SentenceRule rule = SentenceRule::paper);

// With that wording, without phrases, which stood in the old one.
Instruction with_wording(Instruction original, const RewrittenInstruction& rewritten);

}  // namespace craft
