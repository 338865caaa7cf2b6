// Lines of WordNet's files (wndb(5WN)): what a word means, and what a meaning is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// index.verb: a lemma and where its meanings stand in data.verb, the most used one first.
struct IndexLine {
    std::string_view lemma;  // of the line, which must outlive it; blanks are underscores
    std::vector<int64_t> offsets;
};
// Throws Error naming `where` on what is no such line.
IndexLine parse_index_line(std::string_view line, const std::string& where);

struct SynsetPointer {
    std::string symbol;  // "@": hypernym, "&": similar to
    int64_t offset = 0;
    char type = ' ';  // of the meaning pointed at: n, v, a, r
};

// data.verb: a meaning.
struct Synset {
    int64_t offset = 0;
    char type = ' ';                 // n, v, a, s (an adjective that is like a more common one), r
    std::vector<std::string> words;  // with blanks; without an adjective's mark of position ("(p)")
    std::vector<SynsetPointer> pointers;
    std::string gloss;
};
Synset parse_synset_line(std::string_view line, const std::string& where);

// cntlist.rev: how often a meaning was met in tagged texts.
struct SenseCountLine {
    std::string_view lemma;
    int type = 0;        // 1 noun, 2 verb, 3 adjective, 4 adverb, 5 adjective as above
    int64_t number = 0;  // of the meaning among the lemma's, from 1
    int64_t uses = 0;
};
SenseCountLine parse_sense_count(std::string_view line, const std::string& where);

}  // namespace craft
