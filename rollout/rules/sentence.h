// A sentence taken apart into words, and the ways of changing a stretch of it that keep English spelling: the capital at its
// start, "a" before a vowel, no comma left over.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rollout/rules/rules.h"
#include "text/sentences.h"

namespace craft {

class Sentence {
public:
    explicit Sentence(std::string text);

    const std::string& text() const { return text_; }
    size_t size() const { return words_.size(); }
    // In lower case (ASCII), curly apostrophes straightened: what rules are matched against.
    std::string_view word(size_t i) const { return std::string_view(lower_).substr(words_[i].lower, words_[i].lower_size); }
    std::string_view written(size_t i) const {
        return std::string_view(text_).substr(words_[i].begin, words_[i].end - words_[i].begin);
    }
    size_t begin_of(size_t i) const { return words_[i].begin; }
    size_t end_of(size_t i) const { return words_[i].end; }
    bool capital(size_t i) const { return text_[words_[i].begin] >= 'A' && text_[words_[i].begin] <= 'Z'; }
    // Only blanks stand between words i and i + 1.
    bool tight(size_t i) const { return i + 1 < words_.size() && words_[i].tight; }
    // Where the closing mark (with quotes and brackets after it) starts; the text's end if there is none.
    size_t body_end() const { return body_end_; }

    // The text with words [i, i + n) replaced; empty `to` leaves them out together with a comma that they leave behind.
    std::string replaced(size_t i, size_t n, std::string_view to) const;
    // The text without the bytes [begin, end), capital and blanks repaired.
    std::string without(size_t begin, size_t end) const;

private:
    struct Word {
        size_t begin, end, lower, lower_size;
        bool tight;
    };
    std::string text_, lower_;
    std::vector<Word> words_;
    size_t body_end_ = 0;
};

// The sentences of a text and what is between each and the next (blanks, line breaks).
struct Pieces {
    std::vector<std::string> sentences, gaps;
};
Pieces pieces_of(std::string_view text, SentenceRule rule);
std::string joined(const std::vector<std::string>& sentences, const std::vector<std::string>& gaps);

// "I", "I'm" and words with a capital inside stay as they are.
std::string with_capital(std::string text);
// The first word in lower case if it is known to be no name: a word of the rules, or one of `lower_words` (seen in lower
// case elsewhere in the text). `changed` tells.
std::string in_lower_case(const std::string& text, const Rules& rules, const WordSet& lower_words, bool* changed = nullptr);
// Whether the text ends in an abbreviation ("Mr.") or an initial, after which the paper's rule ends a sentence wrongly.
bool ends_in_abbreviation(const std::string& text, const Rules& rules);
// Words written in lower case somewhere in a text.
WordSet lower_case_words(const std::vector<std::string>& sentences);

}  // namespace craft
