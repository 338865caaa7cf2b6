// ROUGE (Lin 2004) as rouge-score 0.1.2 of google-research computes it, without stemmer: ROUGE-1, ROUGE-2, ROUGE-L and
// ROUGE-Lsum of two texts, 0-1.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// The words of a text: runs of ASCII letters and digits, in lower case by Unicode's rules (the Kelvin sign is a k).
// Everything else parts words.
struct RougeWords {
    explicit RougeWords(std::string_view text);

    std::string words;              // with one blank between them
    std::vector<size_t> line_ends;  // the number of words up to the end of each line; lines end at newlines
};

struct RougeScore {
    double precision = 0, recall = 0, f = 0;
};

enum RougeKind : size_t { kRouge1, kRouge2, kRougeL, kRougeLsum };
constexpr std::array<const char*, 4> kRougeNames{"rouge1", "rouge2", "rougeL", "rougeLsum"};
using RougeScores = std::array<RougeScore, kRougeNames.size()>;

// What ROUGE-Lsum may take: words of the prediction's lines times lines of a reference, some seconds. Equal lines count
// once.
constexpr int64_t kMaxRougeSteps = int64_t{1} << 31;

// Beside each reference. A text without words scores 0 against anything. Throws Error where lines are too many for that.
std::vector<RougeScores> rouge(const RougeWords& prediction, const std::vector<RougeWords>& references);

// For each kind the score of the reference with the best F, the first of equals (rouge-score's score_multi). Needs one at
// least.
RougeScores best_rouge(const std::vector<RougeScores>& references);

}  // namespace craft
