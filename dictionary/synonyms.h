// Words for a word: the senses of Debian's WordNet (wordnet-base).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

enum class WordKind { noun, verb, adjective, adverb };

// One meaning of a word.
struct WordSense {
    std::vector<std::string> words;      // lemmas of that meaning, the word itself left out; phrases with blanks
    std::vector<std::string> hypernyms;  // lemmas of the next wider meaning
    int64_t uses = 0;                    // how often this meaning was met in WordNet's tagged texts
    std::string gloss;
};

class Synonyms {
public:
    // Throws Error naming the file that is missing or damaged.
    static Synonyms load(const std::filesystem::path& folder);
    Synonyms(Synonyms&&) noexcept;
    Synonyms& operator=(Synonyms&&) noexcept;
    ~Synonyms();
    // The meanings of a lemma, the most used one first; none if it is not there. May be called by several threads at once.
    std::vector<WordSense> senses(std::string_view lemma, WordKind kind) const;

private:
    struct Files;
    explicit Synonyms(std::unique_ptr<Files> files);
    std::unique_ptr<Files> files_;
};

}  // namespace craft
