// Which words of two texts stand for each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace craft {

// Of two words.
struct WordSimilarity {
    size_t source = 0, candidate = 0;
    double similarity = 0;  // cosine
};

struct WordAlignment {
    std::vector<std::string> source, candidate;    // words, split at blanks, in lower case
    std::vector<std::pair<size_t, size_t>> links;  // of a source's and a candidate's word, ascending
    std::vector<double> similarity = {};           // of each link's words in their places, cosines; empty: not measured
    // Of words without a link that stand in one place, between the links of the words around them; empty: not measured.
    std::vector<WordSimilarity> unlinked = {};
    std::string problem = {};  // why nobody looked for links: "too_long"; empty: somebody did
};

}  // namespace craft
