#include "tools/call_wrapping.h"

#include <algorithm>

#include "core/json.h"
#include "text/code_points.h"
#include "text/utf8.h"
#include "tools/call_characters.h"
#include "tools/call_syntax.h"

namespace craft {

namespace {

constexpr size_t kLongestLabel = 40;        // bytes before the colon of "Word count: word_count_check(...)"
constexpr size_t kLongestAssignment = 120;  // bytes before the = of "count, label = word_count_check(...)"
constexpr size_t kLongestNaming = 80;       // bytes of `"name": "text_eval"`

char char_at(std::string_view text, size_t at) {
    return at < text.size() ? text[at] : '\0';
}
size_t after_blanks(std::string_view text, size_t at) {
    while (is_blank(char_at(text, at))) ++at;
    return at;
}

}  // namespace

size_t decoration_length(std::string_view rest) {
    constexpr std::string_view kBullet = "\xE2\x80\xA2";
    const char c = char_at(rest, 0);
    const size_t open = c == '(' ? 1 : 0;
    size_t digits = 0;  // of 12, 1.2 or 1.2.3
    const auto digit = [&](size_t at) { return is_digit(char_at(rest, open + at)); };
    bool parts = false;
    for (; digit(digits) || (digits > 0 && char_at(rest, open + digits) == '.' && digit(digits + 1)); ++digits)
        parts = parts || !digit(digits);
    const char behind = char_at(rest, open + digits);
    if (digits > 0 && (behind == ')' || (open == 0 && (behind == '.' || (parts && is_blank(behind))))))
        return open + digits + 1;
    if (c != '\0' && std::string_view("-*+>`~").find(c) != std::string_view::npos) return 1;
    return rest.starts_with(kBullet) ? kBullet.size() : 0;
}

size_t numbering_length(std::string_view rest) {
    const char open = char_at(rest, 0);
    const size_t first = open == '(' || open == '[' ? 1 : 0;
    size_t end = first;
    while (end < first + 4 && is_name_character(char_at(rest, end))) ++end;
    if (open == '[' && end == first && is_blank(char_at(rest, end))) ++end;  // the empty box of a list of things to do
    const char close = char_at(rest, end);
    const bool closes = open == '[' ? close == ']' : close == ')' || (close == '.' && first == 0 && end == 1);
    return end > first && closes && is_blank(char_at(rest, end + 1)) ? end + 1 : 0;
}

size_t assignment_length(std::string_view rest) {
    const std::string_view head = rest.substr(0, kLongestAssignment);
    const bool tuple = char_at(head, 0) == '(';
    size_t end = tuple ? 1 : 0;
    for (bool continues = true; continues; end += continues ? 1 : 0) {
        const char c = char_at(head, end);
        const size_t index = c == '[' && end > 0 ? head.find(']', end) : std::string_view::npos;
        if (index != std::string_view::npos) end = index;  // results["words"] =
        continues = index != std::string_view::npos || is_blank(c) || c == ',' || c == ':' || is_name_character(c) ||
                    (c == '.' && end > 0 && is_name_character(char_at(head, end + 1)));
    }
    const bool whole = !tuple || char_at(head, end) == ')';
    end = after_blanks(head, tuple && whole ? end + 1 : end);
    if (end > 0 && std::string_view("+-*/|&").find(char_at(head, end)) != std::string_view::npos) ++end;  // failed += ...
    const char next = char_at(rest, end + 1);
    if (!whole || end == 0 || char_at(head, end) != '=' || next == '=' || next == '>') return 0;
    return after_blanks(rest, end + 1);
}

size_t label_length(std::string_view rest) {
    const std::string_view head = rest.substr(0, kLongestLabel);
    size_t colon = head.find(':');
    if (const size_t dash = head.find(" - "); dash < colon) colon = dash + 1;  // "Step 1 - word_count_check(...)"
    if (colon == std::string_view::npos || colon == 0) return 0;
    const std::string_view label = head.substr(0, colon);
    if (label.find_first_of("\"'=") != std::string_view::npos || starts_remark(label)) return 0;
    for (const std::string_view remark : {"# ", "#\t", " //", "\t//"})  // "Constraint #1" holds none
        if (label.find(remark) != std::string_view::npos) return 0;
    if (std::count(label.begin(), label.end(), '(') != std::count(label.begin(), label.end(), ')')) return 0;
    const size_t name = written_name_at(label, 0).size();
    if (char_at(label, name) == '(' && read_call(label, 0).problem.empty()) return 0;
    return colon + 1;
}

size_t tag_length(std::string_view rest) {
    if (!rest.starts_with('<')) return 0;
    const size_t end = rest.substr(0, kLongestLabel).find('>');
    return end == std::string_view::npos ? 0 : end + 1;
}

size_t symbol_length(std::string_view rest) {
    if (rest.empty()) return 0;
    if (rest.starts_with("=>") || rest.starts_with("->")) return 2;
    const CodePoint next = code_point_at(rest, 0);
    return next.value < 0x80 || is_word_character(next.value) ? 0 : next.bytes;
}

bool starts_remark(std::string_view rest) {
    for (const std::string_view remark : {"#", "//", "/*", "<|", "</", "<!--"})
        if (rest.starts_with(remark)) return true;
    return false;
}

bool spans_line(std::string_view inside) {
    if (inside == "(s)" || inside == "(es)") return false;
    int64_t depth = 0;
    for (size_t i = 0; i < inside.size(); ++i) {
        depth += inside[i] == '(' ? 1 : inside[i] == ')' ? -1 : 0;
        if (depth > 0) continue;
        const std::string_view behind = trim_view(inside.substr(i + 1));
        return behind.empty() || starts_remark(behind);
    }
    return false;
}

bool is_fence(std::string_view line) {
    if (!line.starts_with("```") && !line.starts_with("~~~")) return false;
    line.remove_prefix(std::min(line.find_first_not_of(line[0]), line.size()));
    return line.find('(') == std::string_view::npos;
}

size_t naming_length(std::string_view rest, const ToolSet& tools) {
    constexpr std::string_view kTag = "<function=";
    rest = rest.substr(0, kLongestNaming);
    const auto tool_then = [&](size_t at, char end) {
        const std::string_view name = call_name_at(rest, at);
        return tools.find(name) != nullptr && char_at(rest, at + name.size()) == end ? at + name.size() + 1 : 0;
    };
    if (rest.starts_with(kTag)) return tool_then(kTag.size(), '>');
    const char quote = char_at(rest, 0);
    if (quote != '"' && quote != '\'') return 0;
    const std::string_view key = call_name_at(rest, 1);
    if (key != "name" && key != "function" && key != "tool") return 0;
    if (char_at(rest, 1 + key.size()) != quote) return 0;
    const size_t colon = after_blanks(rest, 2 + key.size());
    const size_t value = after_blanks(rest, colon + 1);
    return char_at(rest, colon) == ':' && char_at(rest, value) == quote ? tool_then(value + 1, quote) : 0;
}

std::vector<std::string_view> named_calls(std::string_view line, const ToolSet& tools) {
    std::vector<size_t> begins;
    for (size_t at = 0; at < line.size();) {
        const size_t length = naming_length(line.substr(at), tools);
        if (length > 0) begins.push_back(at);
        at += std::max<size_t>(1, length);
    }
    std::vector<std::string_view> calls;
    for (size_t i = 0; i < begins.size(); ++i) {
        const size_t end = i + 1 < begins.size() ? begins[i + 1] : line.size();
        calls.push_back(trim_view(line.substr(begins[i], end - begins[i])));
    }
    return calls;
}

std::vector<std::string> escaped_json_strings(std::string_view line) {
    line.remove_prefix(std::max(assignment_length(line), label_length(line)));
    if (line.find("\\\"") == std::string_view::npos) return {};
    std::vector<std::string> strings;
    try {
        const Json value = parse_json(std::string(line), "calls");
        const Json list = value.is_array() ? value : Json::array({value});
        for (const Json& text : list) {
            if (!text.is_string()) return {};
            strings.push_back(text.get<std::string>());
        }
    } catch (const Error&) {
        return {};  // it is no JSON
    }
    return strings;
}

}  // namespace craft
