// The steps that readers of models' replies are made of. Each takes off a reply what surrounds that which was asked for,
// and says whether there was something; the reader counts it under its own name for it. Where a step is given the text that
// the reply goes back to (`source`), what that text begins with itself is left. Texts go in and come out trimmed. No step
// throws on any bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/leniency.h"

namespace craft {

// Thinking in tags before an answer, also where only one of the tags was told.
struct SplitThinking {
    std::string_view thought, answer;  // trimmed; no answer where the thinking did not end
    bool is_at_head = false;           // no text stands before "<think>": false where a text may speak of the tags
};
std::optional<SplitThinking> split_thinking(std::string_view reply);
bool cut_thinking(std::string_view& text);

// A fence of code around the whole text, whatever language it names; not where a line within begins or ends with another
// one.
bool cut_fence(std::string_view& text, std::string_view source = {});
// A pair of marks around the whole text; cut_pair(): not where `source` begins with the first, or there are others within.
bool stands_within(std::string_view text, std::string_view open, std::string_view close);
bool cut_around(std::string_view& text, std::string_view open, std::string_view close);
bool cut_pair(std::string_view& text, std::string_view open, std::string_view close, std::string_view source = {});
bool cut_bold(std::string_view& text, std::string_view source = {});    // **...**
bool cut_quotes(std::string_view& text, std::string_view source = {});  // "..." or “...”

// Takes these marks, and white space between them, off one end for as long as there are any.
bool cut_beginning(std::string_view& text, std::span<const std::string_view> marks);
bool cut_ending(std::string_view& text, std::span<const std::string_view> marks);
// The bytes of a list's mark at the beginning of a line: "-", "*", "+", "•", "1.", "12)"; 0 if there is none. Whether a
// blank must follow is the reader's to say.
size_t list_mark(std::string_view line);

// Lower case without `marks`, which are those of bold type and headings.
std::string plain_words(std::string_view text, std::string_view marks = "*#");
// Whether `words` begins with one of these as a whole word: "Surely" does not begin with "sure".
bool begins_with_one_of(std::string_view words, const std::vector<std::string>& beginnings);

// Whether a line is no part of an answer but announces it ("Here is the revised text:"): it begins with one of these as a
// whole word, in any case, and ends with a colon.
bool is_preface_line(std::string_view line, const std::vector<std::string>& prefaces);
// Takes such a first line off where text follows it; not where `source` begins with one itself.
bool cut_preface_line(std::string_view& text, std::string_view source, const std::vector<std::string>& prefaces);

// What comes before the first colon of a text and after it: "**Answer:** B".
struct LabelledText {
    std::string label;       // in plain words
    std::string_view rest;   // after the colon and the marks that end bold type there; not trimmed
    bool has_marks = false;  // of bold type, a heading or code around the label
};
// Nothing where the colon is not on the first line, or more than `longest` bytes stand before it.
std::optional<LabelledText> label_of(std::string_view text, size_t longest);

// Takes off what surrounds a text in any order (a fence around a preface, quotes within bold type), and counts
// "prefaced", "fenced", "bold" and "quoted". `cut_preface` is the reader's step for prefaces.
void unwrap(std::string_view& text, std::string_view source, const std::function<bool(std::string_view&)>& cut_preface,
            Leniency& noted);

}  // namespace craft
