#include "tools/call_parser.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "text/code_points.h"
#include "text/utf8.h"
#include "tools/call_characters.h"
#include "tools/call_leniency.h"
#include "tools/call_syntax.h"
#include "tools/call_wrapping.h"

namespace craft {

namespace {

constexpr size_t kDeepestNesting = 16;  // brackets that stay open from line to line; more is no list of calls
constexpr size_t kLongestCell = 40;     // bytes of a table's cell that is skipped

// Walks over the lines of a text and appends what it finds to `out`.
class LineReader {
public:
    LineReader(std::string_view text, const ToolSet& tools, ParsedToolCalls& out) : text_(text), tools_(tools), out_(out) {}

    void read() {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") at_ = 3;
        while (at_ < text_.size()) {
            end_line();
            read_line();
            at_ = next_line_;
        }
    }

private:
    // Everything that looks after at_ works with these ends, found once a line: that is what keeps long lines linear.
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
    // What may stand between and after calls.
    static bool is_separator(char c) { return std::string_view(" \t\r`*;,.").find(c) != std::string_view::npos; }

    char peek(size_t ahead = 0) const { return at_ + ahead < line_end_ ? text_[at_ + ahead] : '\0'; }
    bool take(std::string_view word) {
        if (text_.substr(at_, word.size()) != word || at_ + word.size() > line_end_) return false;
        at_ += word.size();
        return true;
    }
    std::string_view rest() const { return text_.substr(at_, line_end_ - at_); }
    std::string_view code_from(size_t at) const { return text_.substr(at, std::max(code_end_, at) - at); }
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
        const size_t calls = out_.calls.size();
        places_ = {at_};
        read_calls_of_line();
        note_line(std::span(out_.calls).subspan(calls), text_, places_, out_.leniency);
    }

    void read_calls_of_line() {
        skip_space();
        const size_t begin = at_;
        table_row_ = false;
        keep_open_brackets();
        if (is_fence(rest())) closers_.clear();
        if (is_fence(rest()) || peek() == '#' || rest().starts_with("//")) return ignore_rest();
        skip_fence_language();
        skip_decoration();
        if (naming_length(rest(), tools_) > 0) return add_named_calls();
        if (!starts_call() && read_json_strings()) return;
        skip_to_call();
        if (starts_call()) {
            while (read_one()) {}
        } else {
            at_ = begin;
            note_brackets();
            add_named_calls();
        }
        ignore_rest();
    }

    // "```python " where the block's only call stands on the same line.
    void skip_fence_language() {
        if (!rest().starts_with("```") && !rest().starts_with("~~~")) return;
        const size_t begin = at_;
        while (peek() == text_[begin]) ++at_;
        while (is_name_character(peek())) ++at_;
        const bool language = is_blank(peek());
        if (language) skip_to_call();
        if (!language || !at_call()) at_ = begin;
    }

    void skip_decoration() {
        do skip_space();
        while (advance(decoration_length(rest())));
    }

    // A list of calls over several lines: quotation marks end on their line, brackets do not.
    void keep_open_brackets() {
        if (closers_.size() > kDeepestNesting) closers_.clear();
        std::erase_if(closers_, [](char c) { return is_quote(c) || c == '>'; });
    }

    // What a line without calls closes at its start or opens at its end ("tools = [").
    void note_brackets() {
        size_t begin = at_;
        for (; !closers_.empty() && begin < line_end_ && text_[begin] == closers_.back(); ++begin) closers_.pop_back();
        if (begin == line_end_) return;
        const size_t kind = std::string_view("([{").find(text_[line_end_ - 1]);
        if (kind != std::string_view::npos) closers_.push_back(")]}"[kind]);
    }

    // JSON and tags name a tool apart from its arguments: that is no call of ours, but one was meant.
    void add_named_calls() {
        for (const std::string_view named : named_calls(rest(), tools_)) {
            out_.calls.push_back(
                {std::string(named), std::nullopt, "malformed: expected name(arguments), got a name apart from them"});
            at_ = line_end_;
        }
    }

    bool read_json_strings() {
        const auto strings = escaped_json_strings(code_from(at_));
        for (const std::string& text : strings) LineReader(text, tools_, out_).read();
        if (strings.empty()) return false;
        ++out_.leniency[leniency::kJsonStrings];
        at_ = line_end_;
        return true;
    }

    // To the call after what may be written around it or before it.
    void skip_to_call() {
        const size_t begin = at_, open = closers_.size(), ignored = out_.ignored.size();
        while (!at_call() && skip_wrapping()) {}
        if (at_call()) return;
        // Only a call tells such wrapping from prose.
        at_ = begin;
        closers_.resize(open);
        out_.ignored.resize(ignored);
        if (advance(assignment_length(rest())) && written_name_at(text_, at_).empty()) at_ = begin;
    }

    // What is a call after any wrapping: a tool's, or one of a name that no prose has.
    bool at_call() const {
        const std::string_view name = written_name_at(text_, at_);
        if (is_tool(name)) return starts_call();
        return is_code_name(name) && at_ + name.size() < line_end_ && text_[at_ + name.size()] == '(';
    }

    bool is_tool(std::string_view name) const { return tools_.find(name) != nullptr; }

    bool is_code_name(std::string_view name) const {
        return name.size() == call_name_at(text_, at_).size() && name.find('_') != std::string_view::npos;
    }

    bool advance(size_t bytes) {
        at_ += bytes;
        return bytes > 0;
    }

    // One piece of it.
    bool skip_wrapping() {
        if (at_ >= line_end_) return false;
        const char c = peek();
        table_row_ = table_row_ || c == '|';
        if (is_blank(c) || c == '*' || c == '`' || c == '|') return advance(1);
        return advance(numbering_length(rest())) || advance(assignment_length(rest())) || skip_label() || skip_tag() ||
               advance(symbol_length(rest())) || take("then ") || skip_opener() || skip_cell();
    }

    bool skip_label() {
        const size_t length = label_length(rest());
        if (length > 0) out_.ignored.emplace_back(rest().substr(0, length));
        return advance(length);
    }

    // The call itself may stand between angle brackets.
    bool skip_tag() {
        if (!take("<")) return false;
        if (at_call()) {
            closers_.push_back('>');
            return true;
        }
        --at_;
        return advance(tag_length(rest()));
    }

    bool skip_opener() {
        const size_t kind = std::string_view("([{\"'").find(peek());
        if (kind == std::string_view::npos) return false;
        closers_.push_back(")]}\"'"[kind]);
        return advance(1);
    }

    // A cell of a table's row.
    bool skip_cell() {
        const size_t bar = table_row_ ? rest().substr(0, kLongestCell).find('|') : std::string_view::npos;
        return bar != std::string_view::npos && advance(bar);
    }

    // After `end`, past what closes the brackets and quotation marks opened around the call, and how many stay open.
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
        if (!is_tool(name)) return name_end < line_end_ && text_[name_end] == '(' && written_like_a_call(name);
        const size_t behind = after_blanks(name_end);
        return behind == line_end_ || text_[behind] == '(' || starts_bare_arguments(name_end, behind);
    }

    size_t after_blanks(size_t at) const {
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
        if (c == ':' || c == ',' || c == '=') return starts_literal(after_blanks(at + 1));
        if (is_quote(c)) return at > name_end;
        return starts_literal(at) || c == '<' || text_.substr(at, 3) == "\xEF\xBC\x88";  // a full-width parenthesis
    }

    // Prose has parentheses too, "word(s)" among them; what is no tool must look like code to count as a call.
    bool written_like_a_call(std::string_view name) const {
        if (is_code_name(name)) return true;
        const CallReading reading = read_call(text_.substr(0, line_end_), at_);
        const bool ascii_name = name.size() == call_name_at(text_, at_).size();
        if (!reading.problem.empty())
            return left_open(name, reading) || (ascii_name && spans_line(code_from(at_ + name.size())));
        const size_t end = closed(reading.end).end;
        if (garbage_at(end).empty()) return ends_or_goes_on_as_code(end);
        return std::string_view(".[(").find(text_[end]) != std::string_view::npos || !has_letters(end);
    }

    // Not "Sentence(2) must stay": the end, a remark or another call.
    bool ends_or_goes_on_as_code(size_t end) const {
        while (end < line_end_ && is_separator(text_[end])) ++end;
        std::string_view behind = text_.substr(end, std::max(line_end_, end) - end);
        if (behind.empty() || starts_remark(behind)) return true;
        for (const std::string_view link : {"and ", "then "})
            if (behind.starts_with(link)) behind.remove_prefix(link.size());
        const size_t name = behind.empty() ? 0 : written_name_at(behind, 0).size();
        return name > 0 && name < behind.size() && behind[name] == '(';
    }

    // "P(1) > 0.5 holds", not "f(1) + 2"; and "text.split('.')[i]" is code whatever it holds.
    bool has_letters(size_t begin) const {
        return begin < line_end_ && std::any_of(text_.begin() + static_cast<std::ptrdiff_t>(begin),
                                                text_.begin() + static_cast<std::ptrdiff_t>(line_end_), is_ascii_letter);
    }

    // `check("x", "keep"`: a literal first, and no parenthesis after what could be read.
    bool left_open(std::string_view name, const CallReading& reading) const {
        return starts_literal(after_blanks(at_ + name.size() + 1)) &&
               text_.substr(reading.end, line_end_ - reading.end).find(')') == std::string_view::npos;
    }

    // One call of the line; false when none is left.
    bool read_one() {
        if (!starts_call()) return false;
        const size_t begin = at_;
        const CallReading reading = read_call(text_, begin);
        if (!reading.problem.empty()) {
            // The rest of its line is part of it; of a call over several lines, what was read of it.
            const bool several = reading.end > line_end_;
            if (several) next_line_ = reading.end;
            return add_malformed(begin, several ? reading.end : line_end_, reading.call.name, reading.problem);
        }
        const Closed behind = closed(reading.end);
        const std::string garbage = garbage_at(behind.end);
        at_ = behind.end;
        if (at_ > line_end_) end_line();  // the call ran over several lines
        if (!garbage.empty()) return add_malformed(begin, line_end_, reading.call.name, garbage);
        closers_.resize(behind.open);
        places_ = {places_.begin, begin, reading.end};
        ToolSet::Binding bound = tools_.bind(reading.call);
        const std::string_view written = text_.substr(begin, reading.end - begin);
        if (bound.call) note_form(reading, written, *bound.call, *tools_.find(bound.call->tool), out_.leniency);
        out_.calls.push_back({std::string(written), std::move(bound.call), std::move(bound.problem)});
        skip_separators();
        if (take("and ")) skip_separators();
        skip_to_call();
        return at_ < line_end_;
    }

    std::string_view line_at(size_t at) const { return text_.substr(at, text_.find('\n', at) - at); }

    // What makes the call at at_ part of a larger expression: an attribute, an index, an operator after it.
    std::string garbage_at(size_t end) const {
        size_t next = end;
        while (next < text_.size() && is_blank(text_[next])) ++next;
        const std::string_view behind = text_.substr(next, 4);
        if (behind.empty()) return "";
        const char c = behind[0];
        const bool attached = next == end;
        const bool continues = attached && (c == '(' || c == '[' || is_quote(c) || is_name_character(c) ||
                                            (c == '.' && !call_name_at(behind, 1).empty()));
        const bool expression = std::string_view(")]}=<>+*/%&|^").find(c) != std::string_view::npos;
        if (!continues && !(expression && !is_markup(next, attached) && !starts_remark(behind))) return "";
        const size_t line_end = next > line_end_ ? text_.find('\n', next) : line_end_;
        return "expected the end of the call, got '" + shortened(text_.substr(next, line_end - next), 20) + "'";
    }

    // Arrows, bold, italics, a table's bar.
    bool is_markup(size_t at, bool attached) const {
        const std::string_view behind = text_.substr(at, 2);
        if (behind == "->" || behind == "=>" || behind == "<-" || behind == "**") return true;
        if (behind[0] == '|') return table_row_;
        const bool italics = attached && at_ > 0 && text_[at_ - 1] == '*';
        return behind[0] == '*' && (italics || trim_view(line_at(at)) == "*");
    }

    bool add_malformed(size_t begin, size_t end, const std::string& name, const std::string& problem) {
        const std::string kind =
            !name.empty() && !is_tool(name) ? "unknown tool: " + shortened(name, 64) + "; " : "malformed: ";
        out_.calls.push_back({std::string(trim_view(text_.substr(begin, end - begin))), std::nullopt, kind + problem});
        at_ = line_end_ = end;
        return false;
    }

    std::string_view text_;
    const ToolSet& tools_;
    ParsedToolCalls& out_;
    std::string closers_;     // of the brackets and quotation marks open around the calls
    bool table_row_ = false;  // the line has a bar before its call
    size_t at_ = 0;
    LinePlaces places_;     // of the line that is read, for its leniency
    size_t line_end_ = 0;   // of the line at at_, without white space
    size_t code_end_ = 0;   // the same without separators
    size_t next_line_ = 0;  // where the line after it begins
};

}  // namespace

ParsedToolCalls parse_calls(std::string_view text, const ToolSet& tools) {
    ParsedToolCalls parsed;
    LineReader(text, tools, parsed).read();
    return parsed;
}

BoundCall parse_call(std::string_view text, const ToolSet& tools) {
    const std::string_view call = trim_view(text);
    const CallReading reading = read_call(call, 0);
    ToolSet::Binding bound{std::nullopt, reading.problem};
    if (bound.problem.empty()) bound = tools.bind(reading.call);
    if (reading.problem.empty() && reading.end != call.size())
        bound.problem = "expected the end of the call, got '" + shortened(call.substr(reading.end), 20) + "'";
    if (!bound.problem.empty()) throw Error("tool call '" + shortened(call, 80) + "': " + bound.problem);
    return std::move(*bound.call);
}

}  // namespace craft
