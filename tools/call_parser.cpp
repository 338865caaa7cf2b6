#include "tools/call_parser.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "text/code_points.h"
#include "text/utf8.h"
#include "tools/call_arguments.h"
#include "tools/call_syntax.h"

namespace craft {

namespace {

constexpr size_t kLongestLabel = 40;  // bytes before the colon of "Word count: word_count_check(...)"

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
bool is_name_character(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Walks over the lines of a text and appends what it finds to `out`.
class LineReader {
public:
    LineReader(std::string_view text, ParsedCalls& out) : text_(text), out_(out) {}

    void read() {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
        while (at_ < text_.size()) {
            end_line();
            read_line();
            at_ = next_line_;
        }
    }

private:
    // Everything that looks behind at_ works with these ends, found once a line: that is what keeps long lines linear.
    void end_line() {
        const size_t newline = std::min(text_.find('\n', at_), text_.size());
        next_line_ = std::min(newline + 1, text_.size());
        line_end_ = at_ + trim_end(text_.substr(at_, newline - at_));
        code_end_ = line_end_;
        while (code_end_ > at_ && is_separator(text_[code_end_ - 1])) --code_end_;
    }
    static size_t trim_end(std::string_view line) {
        const std::string_view trimmed = trim_view(line);
        return trimmed.empty() ? 0 : static_cast<size_t>(trimmed.data() - line.data()) + trimmed.size();
    }
    // What may stand between and behind calls.
    static bool is_separator(char c) { return std::string_view(" \t\r`*;,.").find(c) != std::string_view::npos; }

    char peek(size_t ahead = 0) const { return at_ + ahead < line_end_ ? text_[at_ + ahead] : '\0'; }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word || at_ + word.size() > line_end_) return false;
        at_ += word.size();
        return true;
    }
    std::string_view rest() const { return text_.substr(at_, line_end_ - at_); }
    void skip_space() {
        while (at_ < line_end_) {
            const CodePoint next = code_point_at(text_, at_);
            if (!is_space(next.value)) return;
            at_ += next.bytes;
        }
    }
    void skip_separators() {
        while (at_ < line_end_ && is_separator(text_[at_])) ++at_;
    }
    void ignore_rest() {
        skip_space();
        if (at_ < line_end_) out_.ignored.emplace_back(rest());
        at_ = line_end_;
    }

    void read_line() {
        skip_space();
        const size_t begin = at_;
        if (is_fence() || peek() == '#' || rest().substr(0, 2) == "//") return ignore_rest();
        skip_decoration();
        const std::string_view label = skip_label();
        skip_assignment();
        if (!starts_call()) {
            at_ = begin;
            return ignore_rest();
        }
        if (!label.empty()) out_.ignored.emplace_back(label);
        while (read_one()) {}
        ignore_rest();
    }

    // ``` or ~~~, alone or with a language name; a call between fences on one line is none.
    bool is_fence() const {
        std::string_view line = rest();
        if (line.substr(0, 3) != "```" && line.substr(0, 3) != "~~~") return false;
        line.remove_prefix(std::min(line.find_first_not_of(line[0]), line.size()));
        return line.find('(') == std::string_view::npos;
    }

    // Bullets, numbering, quotation marks of mail, backticks and bold.
    void skip_decoration() {
        while (at_ < line_end_) {
            skip_space();
            const char c = peek();
            const size_t open = c == '(' ? 1 : 0;
            size_t digits = 0;
            while (is_digit(peek(open + digits))) ++digits;
            if (digits > 0 && (peek(open + digits) == ')' || (open == 0 && peek(digits) == '.'))) {
                at_ += open + digits + 1;
            } else if (c == '-' || c == '*' || c == '+' || c == '>' || c == '`' || c == '~') {
                ++at_;
            } else if (!take("\xE2\x80\xA2")) {  // a bullet
                return;
            }
        }
    }

    // "Word count: " before a tool's name. Only there: elsewhere a colon is prose.
    std::string_view skip_label() {
        const std::string_view head = text_.substr(at_, std::min(line_end_ - at_, kLongestLabel));
        const size_t colon = head.find(':');
        if (colon == std::string_view::npos || head.substr(0, colon).find_first_of("(\"'=") != std::string_view::npos)
            return "";
        const size_t begin = at_;
        at_ += colon + 1;
        while (is_blank(peek()) || peek() == '*' || peek() == '`') ++at_;
        if (is_tool_name(call_name_at(text_, at_)) && starts_call()) return head.substr(0, colon + 1);
        at_ = begin;
        return "";
    }

    // `x = `, `x, y = `, `x: int = ` before a call.
    void skip_assignment() {
        size_t end = at_;
        while (end < line_end_ &&
               (is_blank(text_[end]) || text_[end] == ',' || text_[end] == ':' || is_name_character(text_[end]))) {
            ++end;
        }
        if (end == at_ || end >= line_end_ || text_[end] != '=' || (end + 1 < line_end_ && text_[end + 1] == '=')) return;
        ++end;
        while (end < line_end_ && is_blank(text_[end])) ++end;
        if (!call_name_at(text_, end).empty()) at_ = end;
    }

    // A name and its parenthesis; a tool's name may also stand apart from it, or alone on its line.
    bool starts_call() const {
        const std::string_view name = call_name_at(text_, at_);
        if (name.empty() || at_ + name.size() > line_end_) return false;
        size_t behind = at_ + name.size();
        if (!is_tool_name(name)) return behind < line_end_ && text_[behind] == '(' && written_like_a_call(name);
        while (behind < line_end_ && is_blank(text_[behind])) ++behind;
        return behind == line_end_ || text_[behind] == '(';
    }

    // Prose has parentheses too, "word(s)" among them; what is no tool must look like code to count as a call.
    bool written_like_a_call(std::string_view name) const {
        if (name.find('_') != std::string_view::npos) return true;
        const CallReading reading = read_call(text_.substr(0, line_end_), at_);
        if (!reading.problem.empty()) return text_[code_end_ - 1] == ')';
        size_t next = reading.end;
        while (next < line_end_ && is_separator(text_[next])) ++next;
        return next == line_end_ || text_[next] == '#' || !call_name_at(text_, next).empty();
    }

    // One call of the line; false when none is left.
    bool read_one() {
        if (!starts_call()) return false;
        const size_t begin = at_;
        const CallReading reading = read_call(text_, begin);
        const std::string garbage = reading.problem.empty() ? garbage_at(reading.end) : "";
        if (!reading.problem.empty() || !garbage.empty()) {
            add_malformed(reading.problem.empty() ? garbage : reading.problem, reading.call.name);
            return false;
        }
        at_ = reading.end;
        if (at_ > line_end_) end_line();  // the call ran over several lines
        BoundCall bound = bind_arguments(reading.call);
        out_.calls.push_back(
            {std::string(text_.substr(begin, at_ - begin)), std::move(bound.call), std::move(bound.problem)});
        skip_separators();
        if (take("and ")) skip_separators();
        skip_assignment();
        return at_ < line_end_;
    }

    // What makes a call part of a larger expression: an attribute, an index, an operator behind it.
    std::string garbage_at(size_t end) const {
        size_t next = end;
        while (next < text_.size() && is_blank(text_[next])) ++next;
        const std::string_view behind = text_.substr(next, 3);
        if (behind.empty()) return "";
        const char c = behind[0];
        const bool attached = next == end && (c == '(' || c == '"' || c == '\'' || is_name_character(c) ||
                                              (c == '.' && !call_name_at(behind, 1).empty()));
        const bool arrow = behind.starts_with("->") || behind.starts_with("=>");
        const bool bold = behind == "*" || behind.starts_with("**") || behind.starts_with("*\n");
        const bool expression = !arrow && !bold && std::string_view(")]}[=<>+*/%&|^").find(c) != std::string_view::npos;
        if (!attached && !expression) return "";
        const size_t line_end = next > line_end_ ? text_.find('\n', next) : line_end_;
        return "expected the end of the call, got '" + shortened(text_.substr(next, line_end - next), 20) + "'";
    }

    void add_malformed(const std::string& problem, const std::string& name) {
        const std::string kind =
            !name.empty() && !is_tool_name(name) ? "unknown tool: " + shortened(name, 64) + "; " : "malformed: ";
        out_.calls.push_back({std::string(rest()), std::nullopt, kind + problem});
        at_ = line_end_;
    }

    std::string_view text_;
    ParsedCalls& out_;
    size_t at_ = 0;
    size_t line_end_ = 0;   // of the line at at_, without white space
    size_t code_end_ = 0;   // the same without separators
    size_t next_line_ = 0;  // where the line after it begins
};

}  // namespace

ParsedCalls parse_calls(std::string_view text) {
    ParsedCalls parsed;
    LineReader(text, parsed).read();
    return parsed;
}

ToolCall parse_call(std::string_view text) {
    const std::string_view call = trim_view(text);
    const CallReading reading = read_call(call, 0);
    std::string problem = reading.problem;
    if (problem.empty() && reading.end != call.size()) {
        problem = "expected the end of the call, got '" + shortened(call.substr(reading.end), 20) + "'";
    }
    if (!problem.empty()) throw Error("tool call '" + shortened(call, 80) + "': " + problem);
    BoundCall bound = bind_arguments(reading.call);
    if (!bound.call) throw Error("tool call '" + shortened(call, 80) + "': " + bound.problem);
    return *bound.call;
}

}  // namespace craft
