// Words of a sentence that no English dictionary has, with words that may have been meant.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "english/dictionary/english_dictionary.h"
#include "english/token.h"
#include "english/word_list.h"

namespace craft {

struct SpellingError {
    size_t token = 0;
    std::vector<std::string> suggestions;  // the likeliest first, in the case of the word; may be empty
};

struct SpellingReport {
    std::vector<SpellingError> errors;  // none where the text is not English
    int64_t words = 0;                  // that were looked up
    bool is_english = true;             // false: at least four words, and less than half of them are in a dictionary
};

// Equal for words that sound alike to somebody who spells by ear ("experiance", "experience"); ASCII letters alone count.
std::string sound_key(std::string_view word);

// May be used by several threads at once.
class SpellChecker {
public:
    // British and American English by default. Throws Error as WordList::load() does.
    explicit SpellChecker(std::shared_ptr<const EnglishDictionary> dictionary,
                          const std::filesystem::path& british = english_word_list_file(),
                          const std::filesystem::path& american = american_word_list_file());

    bool is_common(const std::string& word) const;  // met at least once in a million words or so, by wordfreq's counts
    bool knows(const std::string& word) const;      // one of the dictionaries has it, or its small letters
    // Suggestions of both dictionaries by how near they are in letters, whether they sound the same, and how common they are
    // (wordfreq's counts). At most eight.
    std::vector<std::string> suggestions(const std::string& word) const;
    // Names, numbers, addresses, abbreviations in capitals, single letters and pieces of contractions are left alone.
    SpellingReport check(const EnglishDocument& tokens) const;

private:
    std::vector<std::string> ranked(const std::string& word) const;

    std::shared_ptr<const EnglishDictionary> dictionary_;
    WordList british_, american_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::string, std::vector<std::string>> cache_;
};

}  // namespace craft
