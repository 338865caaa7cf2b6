#include "view/page.h"

namespace craft {

namespace {

// A value that stands behind its label.
constexpr size_t kShortText = 100;

}  // namespace

std::string plain_text(const StyledText& text) {
    std::string plain;
    for (const Span& span : text) plain += span.text;
    return plain;
}

void PageWriter::title(const std::string& text, const StyledText& behind) {
    StyledText all = {{text, Tone::title}};
    all.insert(all.end(), behind.begin(), behind.end());
    line(std::move(all), 2);
}

void PageWriter::field(const std::string& label, const StyledText& text) {
    const std::string plain = plain_text(text);
    if (plain.size() <= kShortText && plain.find('\n') == std::string::npos) {
        StyledText all = {{label + ": ", Tone::label}};
        all.insert(all.end(), text.begin(), text.end());
        line(std::move(all), 2);
        return;
    }
    line({{label + ":", Tone::label}});
    shift(2);
    line(text);
    shift(-2);
}

void PageWriter::line(StyledText text, int hanging) {
    page_.push_back({.indent = indent_, .text = std::move(text), .beside = {}, .hanging = hanging});
}

void PageWriter::beside(StyledText left, StyledText right) {
    page_.push_back({.indent = indent_, .text = std::move(left), .beside = std::move(right)});
}

void PageWriter::blank() {
    page_.emplace_back();
}

}  // namespace craft
