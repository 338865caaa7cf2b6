#include "gec/rules/correction_language.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "english/letter_changes.h"
#include "text/composed.h"
#include "text/utf8.h"

namespace craft {

struct CorrectionLanguage::Known {
    std::mutex mutex;
    std::map<std::string, std::vector<std::string>, std::less<>> spellings;
};

CorrectionLanguage::CorrectionLanguage(CorrectionWords words, std::shared_ptr<const EnglishDictionary> dictionary,
                                       std::vector<WordList> word_lists)
    : words_(std::move(words)),
      dictionary_(std::move(dictionary)),
      forms_(dictionary_),
      word_lists_(std::move(word_lists)),
      known_(std::make_shared<Known>()) {}

CorrectionLanguage CorrectionLanguage::installed() {
    std::vector<WordList> lists;
    lists.push_back(WordList::load(american_word_list_file()));
    lists.push_back(WordList::load(english_word_list_file()));
    return {CorrectionWords::shipped(), std::make_shared<const EnglishDictionary>(), std::move(lists)};
}

bool CorrectionLanguage::knows(const std::string& given) const {
    const std::string word = composed(given);
    return std::any_of(word_lists_.begin(), word_lists_.end(), [&](const WordList& list) { return list.knows(word); });
}

std::vector<std::string> CorrectionLanguage::spellings(const std::string& word, size_t most) const {
    {
        const std::lock_guard<std::mutex> lock(known_->mutex);
        const auto at = known_->spellings.find(word);
        if (at != known_->spellings.end())
            return {at->second.begin(), at->second.begin() + static_cast<std::ptrdiff_t>(std::min(most, at->second.size()))};
    }
    std::vector<std::pair<double, std::string>> ranked;
    for (const WordList& list : word_lists_) {
        const std::vector<std::string> found = list.suggestions(word);
        for (size_t i = 0; i < found.size(); ++i) {
            const bool is_there =
                std::any_of(ranked.begin(), ranked.end(), [&](const auto& one) { return one.second == found[i]; });
            if (is_there || found[i] == word) continue;
            // One letter more weighs as much as being a thousand times rarer; the library's order knows of sounds.
            const double cost = static_cast<double>(letter_changes(word, lowercase(found[i]))) + 2 * rarity(found[i]) +
                                0.1 * static_cast<double>(i);
            ranked.emplace_back(cost, found[i]);
        }
    }
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::string> words;
    for (const auto& one : ranked) words.push_back(one.second);
    const std::lock_guard<std::mutex> lock(known_->mutex);
    known_->spellings.emplace(word, words);
    words.resize(std::min(most, words.size()));
    return words;
}

}  // namespace craft
