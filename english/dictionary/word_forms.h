// Forms of words as rules ask for them: is this a form of that verb, which verb is this a form of.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "english/dictionary/english_dictionary.h"

namespace craft {

class WordForms {
public:
    // Throws Error as EnglishDictionary::inflections() does.
    explicit WordForms(std::shared_ptr<const EnglishDictionary> dictionary);

    bool is_verb(std::string_view lemma) const;
    bool is_adjective(std::string_view lemma) const;  // one that can be compared
    // The lemma's usual form for a tag of the Penn Treebank (Inflections::forms()); the lemma itself where there is none.
    std::string form(std::string_view lemma, std::string_view tag) const;
    bool is_form(std::string_view word, std::string_view lemma, std::string_view tag) const;
    // The verb that a word in small letters is some form of, its own lemma first; none where it is no verb's.
    std::optional<std::string> verb_of(std::string_view word) const;
    // The verb of an irregular past form or participle, or of any form of "be": "fall" of "fell", though that is a verb,
    // too.
    std::optional<std::string> irregular_verb_of(std::string_view word) const;
    // "is" of "be" and "he": the present ("was" and "were" where `past`), and of other verbs likewise.
    std::string agreeing(std::string_view lemma, bool is_singular, bool past = false) const;
    std::string plural(std::string_view noun) const { return form(noun, "NNS"); }

private:
    std::shared_ptr<const EnglishDictionary> dictionary_;
    const Inflections& inflections_;
    std::unordered_map<std::string, std::string> irregular_;  // "went": "go"
};

}  // namespace craft
