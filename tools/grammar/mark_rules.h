// Rules that see errors in a sentence's tags and heads. Each adds marks with what it would write instead; whether the
// sentence is the better for it, the caller asks a parser (error_parsing.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "english/dictionary/noun_facts.h"
#include "english/dictionary/word_forms.h"
#include "english/parsed_sentence.h"
#include "tools/grammar/error_mark.h"
#include "tools/grammar/governed_prepositions.h"

namespace craft {

// What rules know beside the sentence.
struct RuleKnowledge {
    const WordForms& forms;
    const GovernedPrepositions& prepositions;
    const NounFacts& nouns;
    std::function<bool(const std::string&)> is_word;    // of English, by its spelling
    std::function<bool(const std::string&)> is_common;  // met at least once in a million words or so
};

struct RuleMarks {
    const ParsedSentence& tree;
    const RuleKnowledge& know;
    std::vector<ErrorMark> marks = {};

    void substituted(size_t token, const std::string& why, std::vector<std::string> suggestions, size_t count = 1);
    void redundant(size_t token, const std::string& why, size_t count = 1);
    void missing(size_t before, const std::string& why, std::vector<std::string> suggestions);
};

// In the case of the word that it stands for: first letter alone.
std::string in_case_of(const std::string& word, const std::string& model);

// What several kinds of rules ask of a sentence.
bool is_pronoun_subject(const ParsedSentence& tree, size_t i);  // "I", "you", "he" ...
bool is_finite_verb(const ParsedSentence& tree, size_t i);      // by its tag
// The verb that an auxiliary belongs to, its subject between them where it is a question.
size_t verb_after(const ParsedSentence& tree, size_t auxiliary);

void mark_repeated_words(RuleMarks& found);  // doubled words, two determiners, "more easier", "although ..., but"
void mark_confused_words(RuleMarks& found);  // its/it's, their/there, your/you're, to/too, then/than, a/an, since/for, ...
void mark_agreement(RuleMarks& found);       // subjects and their verbs
void mark_verb_forms(RuleMarks& found);      // after modals, to, do, have, be, prepositions and verbs
void mark_participles(RuleMarks& found);     // "has went", "was gave", "throwed"
void mark_missing_verbs(RuleMarks& found);   // "she reading", "because is"
void mark_said_twice(RuleMarks& found);      // "the dog it barks", "it is works", "will can go"
void mark_clauses_without_verb(RuleMarks& found);  // "the house very old", "they not know"
void mark_joined_clauses(RuleMarks& found);        // "says that is late", "I called, nobody came"
void mark_tenses(RuleMarks& found);                // "I go there yesterday"
void mark_noun_numbers(RuleMarks& found);          // "these problem", "two book", "advices"
void mark_missing_articles(RuleMarks& found);      // "I bought car", "of same kind"
void mark_redundant_articles(RuleMarks& found);    // "an advice", "in the May", "a several"
void mark_prepositions(RuleMarks& found);          // "depend of", "discuss about", "listen music"
void mark_preposition_gaps(RuleMarks& found);      // "the roof the house", "in spite the rain"

}  // namespace craft
