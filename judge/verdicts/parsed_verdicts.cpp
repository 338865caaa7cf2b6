#include "judge/verdicts/parsed_verdicts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/ascii.h"
#include "core/json.h"
#include "data/reply_text.h"
#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestLine = 400;  // bytes; what is longer is no verdict
constexpr std::array<std::string_view, 6> kVerdictLabels = {"my final verdict", "final verdict", "final answer",
                                                            "my verdict",       "verdict",       "answer"};
constexpr std::array<std::string_view, 8> kQuotes = {">", "\"", "'", "\u201c", "\u2018", "\u201e", "\u00ab", "&gt;"};
constexpr std::string_view kSeparators = ",;|/.-:= \t";

// A line with ASCII in the place of full-width signs, and plain blanks.
std::string narrowed(std::string_view line, bool& is_wide) {
    std::string narrow;
    for (const char32_t c : decode_utf8(line)) {
        const bool full = c >= 0xFF01 && c <= 0xFF5E;
        if (full || c == 0x3001) is_wide = true;  // the ideographic comma
        append_utf8(narrow, full ? c - 0xFEE0 : c == 0x3001 ? U',' : is_space(c) ? U' ' : c);
    }
    return narrow;
}

// Takes bold type, marks of code, lists and headings off a line.
std::string without_marks(std::string_view line, bool& has_marks) {
    std::string plain;
    for (const char c : line) (c == '*' || c == '`' || c == '_') ? void(has_marks = true) : plain.push_back(c);
    std::string_view rest = trim_view(plain);
    while (const size_t mark = rest.starts_with('#') ? 1 : list_mark(rest)) {
        rest = trim_view(rest.substr(mark));
        has_marks = true;
    }
    return std::string(rest);
}

// Where "best" or "worst" stands as a word with a colon or an equals sign after it; `behind` is what follows that.
size_t find_key(std::string_view lower, std::string_view key, size_t& behind) {
    for (size_t at = lower.find(key); at != std::string_view::npos; at = lower.find(key, at + 1)) {
        const size_t sign = lower.find_first_not_of(' ', at + key.size());
        const bool starts = at == 0 || lower[at - 1] < 'a' || lower[at - 1] > 'z';
        if (!starts || sign == std::string_view::npos || (lower[sign] != ':' && lower[sign] != '=')) continue;
        behind = sign + 1;
        return at;
    }
    return std::string_view::npos;
}

// What comes before the numbers: the aspect's name, or nothing. Nothing is returned where it is prose.
std::optional<std::string> aspect_of(std::string_view prefix, ParsedVerdict& said) {
    for (const std::string_view label : kVerdictLabels) {
        if (!starts_in_any_case(prefix, label)) continue;
        const std::string_view rest = trim_view(prefix.substr(label.size()));
        if (!rest.starts_with(":")) continue;
        prefix = rest;
        note_leniency(said.let_pass, "label");
        break;
    }
    const std::string_view name = stripped(prefix, kSeparators);
    if (name.empty()) return "";
    if (starts_in_any_case(name, "aspect")) {
        const std::string_view rest = trim_view(name.substr(std::string_view("aspect").size()));
        if (rest.starts_with(":") || rest.starts_with("=")) {
            if (!name.starts_with("Aspect")) note_leniency(said.let_pass, "case");
            if (stripped(prefix, " ").back() != ',') note_leniency(said.let_pass, "separator");
            return std::string(stripped(rest, kSeparators));
        }
    }
    if (name.find(':') != std::string_view::npos) return std::nullopt;  // "So I say: Lexical, Best: 2 ..."
    note_leniency(said.let_pass, "label");
    return std::string(name);
}

std::optional<ParsedVerdict> read_line(std::string_view given) {
    if (given.size() > kLongestLine) return std::nullopt;
    ParsedVerdict said;
    bool is_wide = false, has_marks = false;
    std::string narrow = narrowed(given, is_wide);
    std::string_view line = trim_view(narrow);
    said.quoted = cut_beginning(line, kQuotes);
    const std::string plain = without_marks(line, has_marks);
    std::string_view text = plain;
    if (!said.quoted && cut_beginning(text, kQuotes)) said.quoted = true;
    const std::string lower = ascii_lower(text);
    size_t after_best = 0, after_worst = 0;
    const size_t best = find_key(lower, "best", after_best), worst = find_key(lower, "worst", after_worst);
    if (best == std::string_view::npos || worst == std::string_view::npos) return std::nullopt;
    const bool turned = worst < best;
    const auto aspect = aspect_of(text.substr(0, std::min(best, worst)), said);
    if (!aspect) return std::nullopt;
    said.aspect = *aspect;
    const size_t first = turned ? after_worst : after_best, second = turned ? best : worst;
    const std::string_view earlier = trim_view(text.substr(first, second - first));
    std::string_view later = trim_view(text.substr(turned ? after_best : after_worst));
    if (stripped(later, ".! \"'\u201d\u2019\u00bb").size() != later.size()) has_marks = true;
    later = stripped(later, ".! \"'\u201d\u2019\u00bb");
    if (!earlier.ends_with(",")) note_leniency(said.let_pass, "separator");
    said.best = stripped(turned ? later : earlier, ",;|/ ");
    said.worst = stripped(turned ? earlier : later, ",;|/ ");
    if (turned) note_leniency(said.let_pass, "order");
    if (is_wide) note_leniency(said.let_pass, "full width");
    if (has_marks) note_leniency(said.let_pass, "marks");
    if (text.substr(best, 4) != "Best" || text.substr(worst, 5) != "Worst") note_leniency(said.let_pass, "case");
    return said;
}

std::string number_of(const Json& value) {
    return value.is_string() ? std::string(trim_view(value.get_ref<const std::string&>())) : value.dump();
}

// {"aspect","best","worst"}, or {"Lexical": {"best","worst"}}, or a list of such.
void read_json(const Json& json, const std::string& aspect, std::vector<ParsedVerdict>& all) {
    if (json.is_array()) {
        for (const Json& one : json)
            if (one.is_object()) read_json(one, aspect, all);
        return;
    }
    if (!json.is_object()) return;
    ParsedVerdict said;
    said.aspect = aspect;
    note_leniency(said.let_pass, "json");
    bool has_best = false, has_worst = false;
    for (const auto& [key, value] : json.items()) {
        const std::string lower = ascii_lower(key);
        if (lower == "aspect" && value.is_string()) said.aspect = number_of(value);
        if (lower == "best") said.best = number_of(value), has_best = true;
        if (lower == "worst") said.worst = number_of(value), has_worst = true;
    }
    if (has_best && has_worst) {
        all.push_back(std::move(said));
        return;
    }
    if (!aspect.empty()) return;  // one floor of aspects
    for (const auto& [key, value] : json.items())
        if (value.is_object()) read_json(value, key, all);
}

bool read_json(std::string_view text, std::vector<ParsedVerdict>& all) {
    if (!text.starts_with("{") && !text.starts_with("[")) return false;
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return false;
    read_json(json, "", all);
    return true;
}

}  // namespace

std::vector<ParsedVerdict> parsed_verdicts(std::string_view reply) {
    std::vector<std::string_view> lines;
    for (size_t at = 0; at <= reply.size();) {
        const size_t end = std::min(reply.find_first_of("\r\n", at), reply.size());
        const std::string_view line = trim_view(reply.substr(at, end - at));
        if (!line.empty()) lines.push_back(line);
        at = end + 1;
    }
    std::vector<ParsedVerdict> all;
    // JSON over several lines: between the first and the last line that is neither empty nor a fence.
    const auto is_fence = [](std::string_view line) { return line.starts_with("```"); };
    const auto first = std::find_if_not(lines.begin(), lines.end(), is_fence);
    const auto last = std::find_if_not(lines.rbegin(), lines.rend(), is_fence);
    if (first != lines.end() && first->data() <= last->data() &&
        read_json({first->data(), static_cast<size_t>(last->data() + last->size() - first->data())}, all))
        return all;
    for (const std::string_view& line : lines) {
        if (is_fence(line) || read_json(line, all)) continue;
        if (auto said = read_line(line)) all.push_back(*std::move(said));
    }
    return all;
}

}  // namespace craft
