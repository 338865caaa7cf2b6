// Which words of two texts stand for each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace craft {

struct WordAlignment {
    std::vector<std::string> source, candidate;    // words, split at blanks, in lower case
    std::vector<std::pair<size_t, size_t>> links;  // of a source's and a candidate's word, ascending
    std::string problem = {};                      // why nobody looked for links: "too_long"; empty: somebody did
};

}  // namespace craft
