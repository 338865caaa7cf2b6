// The files of WordNet in memory: lemmas are found by halves, meanings by their byte offset.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "english/dictionary/wordnet_lines.h"

namespace craft {

// index.KIND and data.KIND.
class WordnetKind {
public:
    // `name` stands for the files in messages ("/usr/share/wordnet/index.verb", ".../data.verb").
    WordnetKind(std::string index, std::string data, std::string index_name, std::string data_name);
    // Lines are views of the index, which this object holds.
    WordnetKind(const WordnetKind&) = delete;
    WordnetKind& operator=(const WordnetKind&) = delete;

    // Small letters, underscores between words.
    std::optional<IndexLine> find(std::string_view lemma) const;
    // Throws Error where no meaning begins at that byte.
    Synset synset(int64_t offset) const;

private:
    std::string index_, data_, index_name_, data_name_;
    std::vector<std::string_view> lines_;  // of the index, by lemma
};

// cntlist.rev.
class SenseCounts {
public:
    // Throws Error with `name`:line on what is no such list.
    SenseCounts(std::string_view list, const std::string& name);
    // `type`: 1 noun, 2 verb, 3 adjective, 4 adverb; `number` from 1. 0 of what was not met.
    int64_t uses(std::string_view lemma, int type, size_t number) const;

private:
    std::unordered_map<std::string, std::vector<int64_t>> counts_;  // "3huge": of its meanings in order
};

}  // namespace craft
