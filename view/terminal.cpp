#include "view/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "view/wrapped.h"

namespace craft {

namespace {

constexpr int64_t kLeastColumn = 38;  // of two beside each other
constexpr int64_t kBetween = 3;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

const char* colour_of(Tone tone) {
    switch (tone) {
        case Tone::title:
            return "1";
        case Tone::label:
            return "36";
        case Tone::quiet:
            return "2";
        case Tone::good:
            return "32";
        case Tone::bad:
            return "31";
        case Tone::added:
            return "32;4";
        case Tone::removed:
            return "31;9";
        default:
            return "";
    }
}

// Where colours say something that the words do not, signs say it without them.
std::string drawn(const Span& span, bool colour) {
    const std::string code = colour_of(span.tone);
    if (colour) return code.empty() ? span.text : "\x1b[" + code + "m" + span.text + "\x1b[0m";
    return span.text;
}

std::string drawn(const WrappedLine& line, bool colour) {
    std::string all;
    for (const Span& span : line.text) all += drawn(span, colour);
    return all;
}

// Without colours changed words stand in brackets, as `git diff --word-diff` has them.
StyledText with_signs(const StyledText& text) {
    StyledText all;
    for (const Span& span : text) {
        const bool is_added = span.tone == Tone::added, is_removed = span.tone == Tone::removed;
        if (!is_added && !is_removed) {
            all.push_back(span);
            continue;
        }
        const size_t end = span.text.find_last_not_of(" \n\t") + 1;
        const std::string word = span.text.substr(0, end), blanks = span.text.substr(end);
        all.push_back({(is_added ? "{+" : "[-") + word + (is_added ? "+}" : "-]"), span.tone});
        if (!blanks.empty()) all.push_back({blanks, Tone::plain});
    }
    return all;
}

void append_lines(std::string& out, const std::vector<WrappedLine>& lines, const std::string& indent, int hanging,
                  bool colour) {
    for (size_t i = 0; i < lines.size(); ++i) {
        if (!lines[i].text.empty()) out += indent + std::string(i > 0 ? static_cast<size_t>(hanging) : 0, ' ');
        out += drawn(lines[i], colour) + "\n";
    }
}

void append_beside(std::string& out, const std::vector<WrappedLine>& left, const std::vector<WrappedLine>& right,
                   const std::string& indent, int64_t column, bool colour) {
    for (size_t i = 0; i < std::max(left.size(), right.size()); ++i) {
        std::string line = indent;
        const WrappedLine none;
        const WrappedLine& l = i < left.size() ? left[i] : none;
        const WrappedLine& r = i < right.size() ? right[i] : none;
        line += drawn(l, colour);
        if (!r.text.empty())
            line +=
                std::string(static_cast<size_t>(std::max<int64_t>(0, column - l.width) + kBetween), ' ') + drawn(r, colour);
        out += (l.text.empty() && r.text.empty() ? "" : line) + "\n";
    }
}

}  // namespace

Terminal terminal_of(int fd) {
    Terminal terminal;
    terminal.is_one = ::isatty(fd) == 1;
    winsize size{};
    if (terminal.is_one && ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        terminal.width = size.ws_col;
        if (size.ws_row > 0) terminal.height = size.ws_row;
    }
    const std::string columns = variable("COLUMNS");
    char* end = nullptr;
    const long said = std::strtol(columns.c_str(), &end, 10);
    if (!columns.empty() && *end == '\0' && said > 0 && said < 10000) terminal.width = static_cast<int>(said);
    terminal.width = std::max(terminal.width, kLeastWidth);
    terminal.colour = terminal.is_one && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
    return terminal;
}

std::string lay_out(const DisplayPage& page, const Terminal& terminal) {
    const auto signed_text = [&](const StyledText& text) { return terminal.colour ? text : with_signs(text); };
    std::string out;
    for (const DisplayBlock& block : page) {
        // A deep tree on a narrow terminal stands less far in than it should.
        const int indented = std::min(block.indent, terminal.width / 2);
        const std::string indent(static_cast<size_t>(indented), ' ');
        const int64_t room = terminal.width - indented, column = (room - kBetween) / 2;
        const StyledText text = signed_text(block.text), beside = signed_text(block.beside);
        if (!beside.empty() && column >= kLeastColumn) {
            append_beside(out, wrapped(text, column), wrapped(beside, column), indent, column, terminal.colour);
            continue;
        }
        const int hanging = std::min<int>(block.hanging, static_cast<int>(room) / 2);
        append_lines(out, wrapped(text, room - hanging, hanging), indent, hanging, terminal.colour);
        if (!beside.empty()) append_lines(out, wrapped(beside, room), indent, 0, terminal.colour);
    }
    return out;
}

}  // namespace craft
