// All that is known of English words, and a parser of sentences, opened when it is first asked for.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "english/constituents.h"
#include "english/dictionary/easier_words.h"

namespace craft {

// Where the parts lie. By default where scripts/setup.sh --english puts them: Debian's folders, and weights/ (core's
// weights_place()).
struct EnglishDictionaryPlaces {
    std::filesystem::path synonyms;     // WordNet's folder
    std::filesystem::path scowl;        // folder of size classes
    std::filesystem::path inflections;  // lemminflect's table
    std::filesystem::path counts;       // wordfreq's list
    static EnglishDictionaryPlaces installed();
};

class EnglishDictionary {
public:
    explicit EnglishDictionary(EnglishDictionaryPlaces places = EnglishDictionaryPlaces::installed());
    EnglishDictionary(EnglishDictionary&&) noexcept;
    EnglishDictionary& operator=(EnglishDictionary&&) noexcept;
    ~EnglishDictionary();

    // Each part is read when it is first asked for. Each throws Error naming what is missing or damaged, and the command
    // that gets it; the next call tries again. May be called by several threads at once.
    const Synonyms& synonyms() const;
    const Inflections& inflections() const;
    const WordDifficulty& by_size() const;    // scowl's classes
    const WordDifficulty& by_count() const;   // wordfreq's counts
    ConstituentParser& constituents() const;  // link-grammar's, one sentence at a time, with the default limits

    // craft::easier_words() with these synonyms and forms.
    std::vector<EasierWord> easier_words(std::string_view lemma, std::string_view tag, WordKind kind,
                                         const WordDifficulty& difficulty, double margin) const;
    std::vector<EasierWord> easier_words(std::string_view lemma, std::string_view tag, WordKind kind,
                                         const WordDifficulty& difficulty, const EasierWordOptions& options) const;

    const EnglishDictionaryPlaces& places() const;
    // Reads all parts. Throws Error as they do, the first one that is missing.
    void check() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace craft
