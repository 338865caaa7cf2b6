// What corrections of learners' sentences are about, and one of them as rules propose it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/text_replacement.h"

namespace craft {

enum class CorrectionKind {
    agreement,              // of verb and subject
    verb_form,              // after modals, "to", have, be, do, prepositions
    tense,                  //
    missing_verb,           // a form of be or have
    infinitive,             // "to" missing or redundant, to + verb against verb + -ing
    noun_number,            //
    determiner,             // this against these, much against many
    article_missing,        //
    article_redundant,      //
    article_choice,         // a, an, the
    preposition_missing,    //
    preposition_redundant,  //
    preposition_choice,     //
    spelling,               // of words that no dictionary has
    word_choice,            // of words that are taken for each other
    phrase,                 // of several words
    doubled,                // a word twice
    joined,                 // one word written as two, or two as one
    word_class,             // adjective against adverb, noun against adjective
    pronoun,                //
    capital,                //
    comma_missing,          //
    comma_redundant,        //
    final_stop,             //
    apostrophe,             //
    order,                  // of words
    observed                // what the tool error_parsing found by its rules
};

const std::vector<CorrectionKind>& correction_kinds();
const char* correction_kind_name(CorrectionKind kind);  // "noun_number"
// Throws Error on an unknown name, listing those that are known.
CorrectionKind correction_kind(std::string_view name);

struct CorrectionProposal {
    TextReplacement change;  // of the sentence's bytes
    CorrectionKind kind = CorrectionKind::spelling;
    // What the rule itself says for the change, in nats, beside what a model of language gains by it: above 0 where the
    // sentence speaks against what stands there ("many book"), below 0 where it speaks for it.
    double evidence = 0;
    bool is_sure = false;  // taken whatever a model says
    std::string why;       // a clause: "'many' asks for a plural"
};

}  // namespace craft
