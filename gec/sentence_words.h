// The words of a sentence as edits count them: punctuation stands apart from the words that it is written on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Views into `text`, in order. White space parts words; in between, letters and digits hold together, with apostrophes and
// hyphens inside a word ("don't", "well-known"), points and commas inside a number ("3.5"), and an apostrophe in front of
// the rest of a tokenised word ("'s", "'re"). Every other sign is a word of its own. Any bytes.
std::vector<std::string_view> sentence_words(std::string_view text);

// Apostrophes and quotation marks of Unicode as those of ASCII; a model that copies a sentence often changes them.
std::string plain_quotes(std::string_view text);

// A text, its words and the gaps before, between and after them: gap i stands before word i, gap words.size() at the end.
// Keeps views of the text.
struct WordedText {
    std::string_view text;
    std::vector<std::string_view> words;

    explicit WordedText(std::string_view of) : text(of), words(sentence_words(of)) {}
    size_t begin(size_t word) const { return static_cast<size_t>(words[word].data() - text.data()); }  // bytes
    size_t end(size_t word) const { return begin(word) + words[word].size(); }
    size_t gap_begin(size_t gap) const { return gap == 0 ? 0 : end(gap - 1); }
    size_t gap_end(size_t gap) const { return gap == words.size() ? text.size() : begin(gap); }
    std::string_view gap(size_t gap) const { return part(gap_begin(gap), gap_end(gap)); }
    std::string_view part(size_t from, size_t to) const { return text.substr(from, to - from); }
};

}  // namespace craft
