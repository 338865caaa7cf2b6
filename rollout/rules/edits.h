// Edits of single sentences (or of a sentence and the next) that the reviser chooses from. Each keeps the English that rules
// can keep; the cost says how much it changes what the text says and how likely it is to read badly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rollout/rules/sentence.h"

namespace craft {

// What an edit is for; lists are asked for by a set of these.
enum EditGroup : unsigned {
    kShrink = 1,     // fewer words: concise phrases, words and clauses left out
    kGrow = 2,       // more words: expansions, openers, insertions, tails
    kNeutral = 4,    // other words: synonyms, contractions
    kSplit = 8,      // one sentence becomes two
    kJoin = 16,      // two become one
    kStandIn = 32,   // a word that must go is left out or replaced, whatever it is
    kMention = 64,   // a word comes up once more
    kFiller = 128,   // a new sentence
    kRemove = 256,   // a sentence goes
    kRestore = 512,  // the original sentence comes back
};

struct Edit {
    EditGroup group = kNeutral;
    double cost = 1;
    std::vector<std::string> result;  // what stands for the sentence; two for a split, none if it is removed
    int consumed = 1;                 // sentences that the result stands for: 2 for a join
};

struct EditContext {
    const Rules& rules;
    const WordSet& lower_words;  // lower_case_words of the text
};

// A keyword as it can be brought up once more: a whole noun phrase ("the red barn") or a bare word.
struct Mention {
    std::string keyword;
    std::string text;
    bool phrase = false;
};
Mention find_mention(const std::string& keyword, const std::vector<std::string>& sentences, const Rules& rules);

// Rewrites of phrases and words: kShrink, kGrow and kNeutral ones as asked for.
void list_word_edits(const EditContext& context, const Sentence& sentence, unsigned groups, std::vector<Edit>& out);
// Openers, insertions and tails (kGrow).
void list_additions(const EditContext& context, const Sentence& sentence, std::vector<Edit>& out);
// Openers, clauses and adverbs left out (kShrink).
void list_omissions(const EditContext& context, const Sentence& sentence, std::vector<Edit>& out);
// The `most` cheapest ways of cutting the sentence in two.
void list_splits(const EditContext& context, const Sentence& sentence, size_t most, std::vector<Edit>& out);
// Ways of making one sentence of two. None after quotation marks.
void list_joins(const EditContext& context, const std::string& first, const std::string& second, std::vector<Edit>& out);
// Ways of being rid of the keyword (lower case) where the rules know no other word.
void list_stand_ins(const EditContext& context, const Sentence& sentence, const std::string& keyword,
                    std::vector<Edit>& out);
// Ways of bringing the keyword up once more.
void list_mentions(const EditContext& context, const Sentence& sentence, const Mention& mention, std::vector<Edit>& out);

}  // namespace craft
