#include "simplify/simplification_reply.h"

#include <algorithm>
#include <cctype>

#include "data/revision_reply.h"
#include "text/paragraphs.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestPreface = 160;  // bytes

bool begins_with_one_of(std::string_view text, const std::vector<std::string>& list) {
    return std::any_of(list.begin(), list.end(), [&](const std::string& one) {
        if (!text.starts_with(one)) return false;
        // "Surely" does not begin with "sure", nor "Changeset" with "change".
        return text.size() == one.size() || std::isalnum(static_cast<unsigned char>(one.back())) == 0 ||
               std::isalnum(static_cast<unsigned char>(text[one.size()])) == 0;
    });
}

// Without marks of bold type and headings, in lower case.
std::string plain(std::string_view text) {
    std::string bare;
    for (const char c : text)
        if (c != '*' && c != '#') bare += c;
    return lowercase(trim_view(bare));
}

std::string_view up_to_colon(std::string_view text) {
    const size_t colon = text.find(':');
    return colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
}

// "Simplified:" says what follows; "Here is what they found: bones" is a sentence, unless it names a text.
bool names_a_text(const std::string& words, const WordingTable& wordings) {
    const std::vector<std::string>& whole = wordings.list("prefaces");
    if (std::find(whole.begin(), whole.end(), words) != whole.end()) return true;
    const std::vector<std::string>& kinds = wordings.list("kinds");
    return std::any_of(kinds.begin(), kinds.end(),
                       [&](const std::string& kind) { return words.find(kind) != std::string::npos; });
}

bool cut_preface_line(std::string_view& text, std::string_view source, const WordingTable& wordings) {
    const std::string_view before = up_to_colon(text);
    if (before.empty() || before.size() > kLongestPreface || before.find('\n') != std::string_view::npos) return false;
    const std::string words = plain(before);
    if (!begins_with_one_of(words, wordings.list("prefaces"))) return false;
    if (plain(up_to_colon(source)) == words) return false;
    std::string_view rest = text.substr(before.size() + 1);
    while (rest.starts_with('*')) rest.remove_prefix(1);
    const bool ends_line = rest.empty() || trim_view(rest.substr(0, rest.find('\n'))).empty();
    if (!ends_line && !names_a_text(words, wordings)) return false;
    text = trim_view(rest);
    return true;
}

// "The sentence is long. Here is a simpler version:" at a line's end, behind whatever a model had to say before.
bool cut_talk(std::string_view& text, std::string_view source, const WordingTable& wordings) {
    if (source.find('\n') != std::string_view::npos) return false;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = plain(text.substr(begin, end - begin));
        begin = end + 1;
        if (!line.ends_with(':') || end == text.size()) continue;
        const size_t stop = line.rfind(". ");
        const std::string said = line.substr(stop == std::string::npos ? 0 : stop + 2, std::string::npos);
        const std::string words = said.substr(0, said.size() - 1);
        if (!begins_with_one_of(words, wordings.list("prefaces")) || !names_a_text(words, wordings)) continue;
        text = trim_view(text.substr(end));
        return true;
    }
    return false;
}

bool cut_bold(std::string_view& text, std::string_view source) {
    if (text.size() < 5 || !text.starts_with("**") || !text.ends_with("**") || source.starts_with("**")) return false;
    const std::string_view inner = text.substr(2, text.size() - 4);
    if (inner.find("**") != std::string_view::npos) return false;
    text = trim_view(inner);
    return true;
}

// What stands behind a paragraph's end and begins as remarks do; the first paragraph is never one.
bool cut_remarks(std::string_view& text, std::string_view source, const std::vector<std::string>& remarks) {
    const bool is_told_by_i = source.starts_with("I ") || source.find(" I ") != std::string_view::npos;
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
        const std::string_view rest = trim_view(text.substr(at));
        if (rest.empty() || !begins_with_one_of(plain(rest.substr(0, kLongestPreface)), remarks)) continue;
        if (is_told_by_i && plain(rest.substr(0, 2)).starts_with("i")) continue;  // its own first person
        text = trim_view(text.substr(0, at));
        return true;
    }
    return false;
}

bool has_such_a_line(std::string_view text, const std::vector<std::string>& beginnings) {
    for (const std::string_view line : stripped_lines(text))
        if (begins_with_one_of(plain(line.substr(0, kLongestPreface)), beginnings)) return true;
    return false;
}

bool cut_remarks(std::string_view& text, std::string_view source, const WordingTable& wordings, SimplifiedForm form) {
    if (form == SimplifiedForm::sentence) return cut_remarks(text, source, wordings.list("remarks"));
    const std::vector<std::string>& remarks = wordings.list("document_remarks");
    return !has_such_a_line(source, remarks) && cut_remarks(text, source, remarks);
}

// "- ", "* ", "1. ", "2) " at the beginning of a line.
size_t list_mark(std::string_view line) {
    if (line.starts_with("- ") || line.starts_with("* ")) return 2;
    if (line.starts_with("• ")) return std::string_view("• ").size();
    size_t digits = 0;
    while (digits < line.size() && digits < 2 && std::isdigit(static_cast<unsigned char>(line[digits])) != 0) ++digits;
    const bool is_mark =
        digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
    return is_mark ? digits + 2 : 0;
}

// Its lines, joined by blanks. Marks of lists go where several lines have one.
std::string one_line(std::string_view text, std::vector<std::string>& noted) {
    std::vector<std::string_view> lines = stripped_lines(text);
    std::erase_if(lines, [](std::string_view line) { return line.empty(); });
    const bool listed = lines.size() > 1 && std::all_of(lines.begin(), lines.end(), list_mark);
    std::string joined;
    for (std::string_view line : lines) {
        if (listed) line = trim_view(line.substr(list_mark(line)));
        joined += (joined.empty() ? "" : " ") + std::string(line);
    }
    if (listed) noted.emplace_back("listed");
    if (lines.size() > 1) noted.emplace_back("lines");
    return joined;
}

std::string document_lines(std::string_view text) {
    std::string lines;
    size_t breaks = 0;
    for (const std::string_view line : stripped_lines(text)) {
        if (!line.empty()) {
            if (!lines.empty()) lines.append(std::min<size_t>(breaks, 2), '\n');
            lines += line;
            breaks = 0;
        }
        ++breaks;
    }
    return lines;
}

}  // namespace

SimplificationReply read_simplification(std::string_view reply, std::string_view source, const WordingTable& wordings,
                                        SimplifiedForm form) {
    SimplificationReply read;
    const auto note = [&](bool is_there, const char* kind) {
        if (is_there && std::find(read.noted.begin(), read.noted.end(), kind) == read.noted.end())
            read.noted.emplace_back(kind);
        return is_there;
    };
    std::string_view text = trim_view(reply);
    source = trim_view(source);
    note(cut_thinking(text), "thinking");
    note(cut_talk(text, source, wordings), "prefaced");
    note(cut_remarks(text, source, wordings, form), "remarked");
    // What stands around a text may stand in any order: a fence around a preface, quotes within bold type.
    for (bool again = true; again;) {
        again = note(cut_preface_line(text, source, wordings), "prefaced");
        again = note(cut_reply_fence(text, source), "fenced") || again;
        again = note(cut_bold(text, source), "bold") || again;
        again = note(cut_reply_quotes(text, source), "quoted") || again;
    }
    if (invalid_utf8_at(text) != std::string_view::npos) {
        read.unusable = "not_utf8";
        return read;
    }
    const bool is_document = form == SimplifiedForm::document;
    read.text = is_document ? document_lines(text) : one_line(text, read.noted);
    if (read.text.empty()) read.unusable = "empty";
    const bool is_source = read.text == (is_document ? document_lines(source) : std::string(source));
    note(!read.text.empty() && is_source, "unchanged");
    return read;
}

}  // namespace craft
