// A record as it is shown: blocks one below the other, in words and tones. What draws it (a terminal, a page of a browser)
// decides how wide it is and what a tone looks like.
#pragma once

#include <string>
#include <vector>

namespace craft {

enum class Tone {
    plain,
    title,    // what a record or a part of it is
    label,    // the name of what follows
    quiet,    // what is read only when looked for
    good,     // met, chosen, best
    bad,      // not met, rejected, failed
    added,    // words that a revision has and its text had not
    removed,  // and the other way round
};

struct Span {
    std::string text;  // UTF-8; may have line breaks
    Tone tone = Tone::plain;
    bool operator==(const Span&) const = default;
};
using StyledText = std::vector<Span>;

struct DisplayBlock {
    int indent = 0;     // in columns
    StyledText text;    // empty: a blank line
    StyledText beside;  // shown to the right of `text`, where there is room, else below it; empty: nothing
    int hanging = 0;    // columns by which lines after the first stand further in
};
using DisplayPage = std::vector<DisplayBlock>;

// The whole text of a block, without its tones.
std::string plain_text(const StyledText& text);

// Puts a page together.
class PageWriter {
public:
    void title(const std::string& text, const StyledText& behind = {});
    // "label: text" where the text is one short line, else the label and the text under it.
    void field(const std::string& label, const std::string& text) { field(label, StyledText{{text, Tone::plain}}); }
    void field(const std::string& label, const StyledText& text);
    void line(StyledText text, int hanging = 0);
    void beside(StyledText left, StyledText right);
    void blank();
    // What follows stands further in, or further out again with a negative number.
    void shift(int columns) { indent_ += columns; }
    DisplayPage take() { return std::move(page_); }

private:
    DisplayPage page_;
    int indent_ = 0;
};

}  // namespace craft
