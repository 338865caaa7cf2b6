// Words for a word: the senses of Debian's WordNet (wordnet-base).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

enum class WordKind { noun, verb, adjective, adverb };

// One meaning of a word.
struct WordSense {
    std::vector<std::string> words;  // lemmas of that meaning, the word itself left out; phrases with blanks
    // Lemmas of the next wider meanings; of an adjective those of the more common one that it is like ("huge": "large"). Of
    // an instance ("Paris") none.
    std::vector<std::string> hypernyms;
    std::vector<int64_t> wider_synsets;  // the places of those meanings, as `synset`
    int64_t uses = 0;                    // how often this meaning was met in WordNet's tagged texts
    int64_t synset = 0;                  // the meaning's place in WordNet's file of its kind: the same for all its words
    std::string gloss;
};

class Synonyms {
public:
    // A folder with index.KIND, data.KIND (noun, verb, adj, adv) and cntlist.rev of WordNet 3.0. Throws Error naming the
    // file that is missing. A kind's files are read into memory when a word of that kind is first asked for (nouns: 20 MB).
    static Synonyms load(const std::filesystem::path& folder);
    Synonyms(Synonyms&&) noexcept;
    Synonyms& operator=(Synonyms&&) noexcept;
    ~Synonyms();
    // The meanings of a lemma in any case, its words apart by blanks or underscores, the most used one first; none if it is
    // not there. May be called by several threads at once. Throws Error naming the file and byte where one is damaged.
    std::vector<WordSense> senses(std::string_view lemma, WordKind kind) const;

private:
    struct Files;
    explicit Synonyms(std::unique_ptr<Files> files);
    std::unique_ptr<Files> files_;
};

}  // namespace craft
