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

constexpr size_t kLongestLabel = 40;        // bytes before the colon of "Word count: word_count_check(...)"
constexpr size_t kLongestAssignment = 120;  // bytes before the = of "count, label = word_count_check(...)"

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_blank(char c) {
    return c == ' ' || c == '\t';
}
bool is_name_character(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_quote(char c) {
    return c == '"' || c == '\'';
}
// A comment, a chat model's marker or a closing tag: behind a call, they are no part of it.
bool starts_remark(std::string_view rest) {
    return rest.starts_with('#') || rest.starts_with("//") || rest.starts_with("<|") || rest.starts_with("</");
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
        closers_.clear();
        if (is_fence() || peek() == '#' || rest().substr(0, 2) == "//") return ignore_rest();
        skip_fence_language();
        skip_decoration();
        skip_to_call();
        if (!starts_call()) {
            at_ = begin;
            return ignore_rest();
        }
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

    // "```python " where the block's only call stands on the same line.
    void skip_fence_language() {
        if (!rest().starts_with("```") && !rest().starts_with("~~~")) return;
        const size_t begin = at_;
        while (peek() == text_[begin]) ++at_;
        while (is_name_character(peek())) ++at_;
        const bool language = is_blank(peek());
        if (language) skip_to_call();
        if (!language || !at_tool_call()) at_ = begin;
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

    // To the call behind what may be written around it or before it.
    void skip_to_call() {
        const size_t begin = at_, open = closers_.size(), ignored = out_.ignored.size();
        while (!at_tool_call() && skip_wrapping()) {}
        if (at_tool_call()) return;
        // Only a tool's name tells such wrapping from prose.
        at_ = begin;
        closers_.resize(open);
        out_.ignored.resize(ignored);
        if (skip_assignment() && written_name_at(text_, at_).empty()) at_ = begin;
    }

    bool at_tool_call() const { return is_tool_name(written_name_at(text_, at_)) && starts_call(); }

    // One piece of it. Time: each piece looks at a bounded part of the line.
    bool skip_wrapping() {
        if (at_ >= line_end_) return false;
        const char c = peek();
        if (is_blank(c) || c == '*' || c == '`') {
            ++at_;
            return true;
        }
        return skip_letter() || skip_assignment() || skip_label() || skip_tag() || skip_symbol() || take("then ") ||
               skip_opener();
    }

    // "a) ", "(iv) ", "b. "
    bool skip_letter() {
        const size_t first = peek() == '(' ? 1 : 0;
        size_t end = first;
        while (end < first + 4 && is_name_character(peek(end))) ++end;
        const bool point = peek(end) == '.' && first == 0 && end == 1;
        if (end == first || (peek(end) != ')' && !point) || !is_blank(peek(end + 1))) return false;
        at_ += end + 1;
        return true;
    }

    // `x = `, `x, y = `, `(x, y) = `, `x: int = ` before a call or what is written around one.
    bool skip_assignment() {
        const size_t longest = std::min(line_end_, at_ + kLongestAssignment);
        const bool tuple = peek() == '(';
        size_t end = at_ + (tuple ? 1 : 0);
        while (end < longest &&
               (is_blank(text_[end]) || text_[end] == ',' || text_[end] == ':' || is_name_character(text_[end]))) {
            ++end;
        }
        if (tuple && end < longest && text_[end] == ')') ++end;
        while (end < longest && is_blank(text_[end])) ++end;
        const bool assigns = end > at_ && end < longest && text_[end] == '=' &&
                             (end + 1 == line_end_ || (text_[end + 1] != '=' && text_[end + 1] != '>'));
        if (!assigns || (tuple && text_.substr(at_, end - at_).find(')') == std::string_view::npos)) return false;
        ++end;
        while (end < line_end_ && is_blank(text_[end])) ++end;
        at_ = end;
        return true;
    }

    // "Word count: " or "Length (words): ".
    bool skip_label() {
        const std::string_view head = text_.substr(at_, std::min(line_end_ - at_, kLongestLabel));
        const size_t colon = head.find(':');
        if (colon == std::string_view::npos || colon == 0) return false;
        const std::string_view label = head.substr(0, colon);
        if (label.find_first_of("\"'=#") != std::string_view::npos || label.find("//") != std::string_view::npos)
            return false;
        if (std::count(label.begin(), label.end(), '(') != std::count(label.begin(), label.end(), ')')) return false;
        const size_t name = written_name_at(label, 0).size();
        if (name < label.size() && label[name] == '(' && read_call(label, 0).problem.empty()) return false;  // a call
        out_.ignored.emplace_back(head.substr(0, colon + 1));
        at_ += colon + 1;
        return true;
    }

    // "<tool>"
    bool skip_tag() {
        const std::string_view tag = text_.substr(at_, std::min(line_end_ - at_, kLongestLabel));
        const size_t end = tag.find('>');
        if (!tag.starts_with('<') || end == std::string_view::npos) return false;
        at_ += end + 1;
        return true;
    }

    // Arrows, dashes, bullets, typographic quotation marks.
    bool skip_symbol() {
        if (take("=>") || take("->")) return true;
        const CodePoint next = code_point_at(text_, at_);
        if (next.value < 0x80 || is_word_character(next.value)) return false;
        at_ += next.bytes;
        return true;
    }

    bool skip_opener() {
        const size_t kind = std::string_view("([{\"'").find(peek());
        if (kind == std::string_view::npos) return false;
        closers_.push_back(")]}\"'"[kind]);
        ++at_;
        return true;
    }

    // Behind `end`, past what closes the brackets and quotation marks opened around the call, and how many stay open.
    struct Closed {
        size_t end, open;
    };
    Closed closed(const size_t call_end) const {
        size_t end = call_end, open = closers_.size();
        while (open > 0) {
            size_t next = end;
            while (next < text_.size() && is_blank(text_[next])) ++next;
            if (next == text_.size() || text_[next] != closers_[open - 1]) break;
            end = next + 1;
            --open;
        }
        if (!garbage_at(end).empty()) return {call_end, closers_.size()};  // what stands there closes something else
        return {end, open};
    }

    // A name and its parenthesis; a tool's name may also stand apart from it, alone on its line, or before arguments without
    // a parenthesis.
    bool starts_call() const {
        const std::string_view name = written_name_at(text_, at_);
        if (name.empty() || at_ + name.size() > line_end_) return false;
        const size_t name_end = at_ + name.size();
        if (!is_tool_name(name)) return name_end < line_end_ && text_[name_end] == '(' && written_like_a_call(name);
        const size_t behind = behind_blanks(name_end);
        return behind == line_end_ || text_[behind] == '(' || starts_bare_arguments(name_end, behind);
    }

    size_t behind_blanks(size_t at) const {
        while (at < line_end_ && is_blank(text_[at])) ++at;
        return at;
    }

    bool starts_literal(size_t at) const {
        if (at >= line_end_) return false;
        const bool sign = (text_[at] == '-' || text_[at] == '+') && at + 1 < line_end_ && is_digit(text_[at + 1]);
        return sign || is_digit(text_[at]) || is_quote(text_[at]) || text_[at] == '[' || text_[at] == '{';
    }

    // `word_count_check 300`, `word_count_check[3]`, `word_count_check: 300`. Where a word follows, the name is part of
    // prose, and so it is in "word_count_check's result" and between quotation marks.
    bool starts_bare_arguments(size_t name_end, size_t at) const {
        const char c = text_[at];
        if (c == ':' || c == ',' || c == '=') return starts_literal(behind_blanks(at + 1));
        if (is_quote(c)) return at > name_end;
        return starts_literal(at) || c == '<';
    }

    // Prose has parentheses too, "word(s)" among them; what is no tool must look like code to count as a call.
    bool written_like_a_call(std::string_view name) const {
        const bool ascii_name = name.size() == call_name_at(text_, at_).size();
        if (ascii_name && name.find('_') != std::string_view::npos) return true;
        const CallReading reading = read_call(text_.substr(0, line_end_), at_);
        if (!reading.problem.empty()) return left_open(name, reading) || (ascii_name && text_[code_end_ - 1] == ')');
        const size_t end = closed(reading.end).end;
        if (!garbage_at(end).empty()) return true;
        size_t next = end;
        while (next < line_end_ && is_separator(text_[next])) ++next;
        return next == line_end_ || starts_remark(text_.substr(next, 2)) || !written_name_at(text_, next).empty();
    }

    // `check("x", "keep"`: a literal first, and no parenthesis behind what could be read.
    bool left_open(std::string_view name, const CallReading& reading) const {
        return starts_literal(behind_blanks(at_ + name.size() + 1)) &&
               text_.substr(reading.end, line_end_ - reading.end).find(')') == std::string_view::npos;
    }

    // One call of the line; false when none is left.
    bool read_one() {
        if (!starts_call()) return false;
        const size_t begin = at_;
        const CallReading reading = read_call(text_, begin);
        const Closed behind = closed(reading.end);
        const std::string garbage = reading.problem.empty() ? garbage_at(behind.end) : "";
        if (!reading.problem.empty() || !garbage.empty()) {
            add_malformed(reading.problem.empty() ? garbage : reading.problem, reading.call.name);
            return false;
        }
        closers_.resize(behind.open);
        at_ = behind.end;
        if (at_ > line_end_) end_line();  // the call ran over several lines
        BoundCall bound = bind_arguments(reading.call);
        out_.calls.push_back(
            {std::string(text_.substr(begin, reading.end - begin)), std::move(bound.call), std::move(bound.problem)});
        skip_separators();
        if (take("and ")) skip_separators();
        skip_to_call();
        return at_ < line_end_;
    }

    std::string_view line_at(size_t at) const { return text_.substr(at, text_.find('\n', at) - at); }

    // What makes a call part of a larger expression: an attribute, an index, an operator behind it.
    std::string garbage_at(size_t end) const {
        size_t next = end;
        while (next < text_.size() && is_blank(text_[next])) ++next;
        const std::string_view behind = text_.substr(next, 3);
        if (behind.empty()) return "";
        const char c = behind[0];
        const bool attached = next == end && (c == '(' || is_quote(c) || is_name_character(c) ||
                                              (c == '.' && !call_name_at(behind, 1).empty()));
        const bool arrow = behind.starts_with("->") || behind.starts_with("=>");
        const bool bold = behind.starts_with("**") || (c == '*' && trim_view(line_at(next)) == "*");
        const bool expression = !arrow && !bold && !starts_remark(behind) &&
                                std::string_view(")]}[=<>+*/%&|^").find(c) != std::string_view::npos;
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
    std::string closers_;  // of the brackets and quotation marks open around the calls of the line
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
