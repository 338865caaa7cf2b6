// The n-grams of several texts as small numbers: equal n-grams have one number, different ones never have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

constexpr int kMaxNgram = 4;  // of SARI, BLEU and GLEU

// Begins with n = 1; advance() goes on to the next n. Texts are words with one blank between them, as tokenised() makes
// them. An n-gram is its first n - 1 words, whose number is known, and its last word: so numbers are exact, and no string is
// made.
class NgramIds {
public:
    explicit NgramIds(const std::vector<std::string>& texts);
    void advance();
    // How many different n-grams there are; their numbers lie below it.
    size_t types() const { return types_; }
    // Of a text's n-grams, from the left to the right.
    const std::vector<uint32_t>& of(size_t text) const { return ngrams_[text]; }
    size_t words(size_t text) const { return words_[text].size(); }

private:
    std::vector<std::vector<uint32_t>> words_, ngrams_;
    size_t total_ = 0, types_ = 0;
    int n_ = 1;
};

}  // namespace craft
