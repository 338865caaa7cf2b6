// The n-grams of several texts as small numbers: equal n-grams have one number, different ones never have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace craft {

constexpr int kMaxNgram = 4;  // of SARI, BLEU and GLEU

// Begins with n = 1; advance() continues to the next n. Texts are words with one blank between them, as tokenised() makes
// them. An n-gram is its first n - 1 words, whose number is known, and its last word: so numbers are exact, and no string is
// made.
class NgramIds {
public:
    explicit NgramIds(const std::vector<std::string>& texts);
    void advance();
    // How many different n-grams there are; their numbers lie below it.
    size_t types() const { return types_; }
    // Of a text's n-grams, from the left to the right.
    std::span<const uint32_t> of(size_t text) const {
        const size_t lost = n_ - 1, all = words(text);
        return {ngrams_.data() + begins_[text], all > lost ? all - lost : 0};
    }
    size_t words(size_t text) const { return begins_[text + 1] - begins_[text]; }

private:
    std::vector<uint32_t> words_, ngrams_;  // text by text; an n-gram stands where its first word does
    std::vector<size_t> begins_;            // of each text, and the end
    std::vector<uint32_t> slots_;           // of the table of numbers, kept for the memory
    size_t types_ = 0, n_ = 1;
};

}  // namespace craft
