#include "view/wrapped.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <string_view>

#include "view/terminal.h"

namespace craft {

namespace {

constexpr UChar32 kReplacement = 0xFFFD;
constexpr std::string_view kReplacementText = "\xEF\xBF\xBD";
constexpr int kTabWidth = 4;

// Control characters, and those that change the direction of what follows (UAX 9).
bool is_obeyed(UChar32 c) {
    return u_charType(c) == U_CONTROL_CHAR || u_hasBinaryProperty(c, UCHAR_BIDI_CONTROL) || c == 0x2028 || c == 0x2029;
}

int64_t width_of(UChar32 c) {
    const auto kind = u_charType(c);
    if (kind == U_NON_SPACING_MARK || kind == U_ENCLOSING_MARK || kind == U_FORMAT_CHAR) return 0;
    const int32_t east = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
    return east == U_EA_WIDE || east == U_EA_FULLWIDTH ? 2 : 1;
}

struct Character {
    std::string_view bytes;
    UChar32 code = 0;
    int64_t width = 1;
};

// Calls take(character) for each one of `text`.
template <class Take>
void for_each_character(std::string_view text, const Take& take) {
    const auto size = static_cast<int32_t>(text.size());
    for (int32_t at = 0; at < size;) {
        const int32_t begin = at;
        UChar32 c = 0;
        U8_NEXT(text.data(), at, size, c);
        std::string_view bytes = text.substr(static_cast<size_t>(begin), static_cast<size_t>(at - begin));
        if (c < 0 || (c != '\n' && c != '\t' && is_obeyed(c))) {
            c = kReplacement;
            bytes = kReplacementText;
        }
        take(Character{bytes, c, width_of(c)});
    }
}

void append(WrappedLine& line, std::string_view text, Tone tone, int64_t width) {
    line.width += width;
    if (!line.text.empty() && line.text.back().tone == tone)
        line.text.back().text += text;
    else
        line.text.push_back({std::string(text), tone});
}

class Wrapper {
public:
    Wrapper(int64_t width, int64_t hanging) : width_(std::max<int64_t>(1, width)), room_(width_ + hanging) {
        lines_.emplace_back();
    }

    void add(const Character& c, Tone tone) {
        if (c.code == '\n') {
            end_word();
            end_line();
        } else if (c.code == ' ' || c.code == '\t') {
            end_word();
            for (int i = 0; i < (c.code == '\t' ? kTabWidth : 1); ++i) blanks_.push_back({" ", tone});
        } else {
            if (c.width > 0 && word_.width + c.width > std::max(width_, room_ - lines_.back().width)) split_word();
            append(word_, c.bytes, tone, c.width);
        }
    }

    std::vector<WrappedLine> take() {
        end_word();
        return std::move(lines_);
    }

private:
    void end_line() {
        blanks_.clear();
        lines_.emplace_back();
        room_ = width_;
    }
    void put(const WrappedLine& part) {
        for (const Span& span : part.text) append(lines_.back(), span.text, span.tone, 0);
        lines_.back().width += part.width;
    }
    void end_word() {
        if (word_.text.empty()) return;
        WrappedLine& line = lines_.back();
        const auto blanks = static_cast<int64_t>(blanks_.size());
        if (line.width > 0 && line.width + blanks + word_.width > room_) {
            end_line();
        } else if (line.width + blanks + word_.width <= room_) {
            for (const Span& blank : blanks_) append(line, blank.text, blank.tone, 1);
        }
        blanks_.clear();
        put(word_);
        word_ = {};
    }
    // What does not fit into any line is cut where a line ends.
    void split_word() {
        end_word();
        if (lines_.back().width >= room_) end_line();
    }

    int64_t width_, room_;
    std::vector<WrappedLine> lines_;
    WrappedLine word_;
    std::vector<Span> blanks_;
};

}  // namespace

int64_t display_width(std::string_view text) {
    int64_t width = 0;
    for_each_character(text, [&](const Character& c) { width += c.width; });
    return width;
}

std::vector<WrappedLine> wrapped(const StyledText& text, int64_t width, int64_t hanging) {
    Wrapper wrapper(width, hanging);
    for (const Span& span : text) for_each_character(span.text, [&](const Character& c) { wrapper.add(c, span.tone); });
    return wrapper.take();
}

}  // namespace craft
