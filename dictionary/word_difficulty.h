// How hard English words are for a reader, by two sources of unlike kind: the size classes of Debian's scowl, and counts of
// words in texts.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace craft {

class WordDifficulty {
public:
    virtual ~WordDifficulty() = default;
    virtual std::string name() const = 0;  // "scowl", "counts"
    // 0: everybody knows it, to 1: hardly anybody. `word` is a form in any case; one that the source does not have, such as
    // a name, is 1. May be called by several threads at once.
    virtual double of(std::string_view word) const = 0;
};

// The smallest size class that has the word, of those of American, British and common English. Throws Error naming the
// folder if it is missing or has no list.
std::unique_ptr<WordDifficulty> scowl_difficulty(const std::filesystem::path& folder);
// By the rank of the word's count in a frequency list that scripts/setup.sh --english leaves in weights/. Throws Error
// naming the file.
std::unique_ptr<WordDifficulty> count_difficulty(const std::filesystem::path& file);

}  // namespace craft
