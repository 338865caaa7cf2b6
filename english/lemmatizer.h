// Lemmas by rules: endings that are taken off where a word is left that the index knows, and exceptions.
// Reference: spaCy 3.8, EnglishLemmatizer in the mode "rule".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "english/msgpack.h"
#include "english/token.h"

namespace craft {

class Lemmatizer {
public:
    // Of the package's file `lemmatizer/lookups/lookups.bin`. Throws Error naming `where` and the table if one of
    // lemma_rules, lemma_exc and lemma_index is missing or of another form.
    Lemmatizer(const MsgpackValue& lookups, const std::string& where);

    // From text, pos and morph.
    std::string lemma(const EnglishToken& token) const;

private:
    struct Ending {
        std::string old;
        std::string replaced;
    };
    // Of one part of speech.
    struct Tables {
        std::vector<Ending> rules;
        std::unordered_map<std::string, std::vector<std::string>> exceptions;
        std::unordered_set<std::string> index;
    };
    Tables& tables_of(const MsgpackValue& pos, const std::string& where);
    std::string by_rules(const Tables& tables, const std::string& text, const std::string& lower) const;

    std::unordered_map<uint64_t, Tables> tables_;  // by string_id of the part of speech in small letters
};

}  // namespace craft
