#include "simplify/simplification_reply.h"

#include <algorithm>

#include "text/paragraphs.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestPreface = 160;  // bytes

// "Simplified:" says what follows; "Here is what they found: bones" is a sentence, unless it names a text.
bool names_a_text(const std::string& words, const WordingTable& wordings) {
    const std::vector<std::string>& whole = wordings.list("prefaces");
    if (std::find(whole.begin(), whole.end(), words) != whole.end()) return true;
    const std::vector<std::string>& kinds = wordings.list("kinds");
    return std::any_of(kinds.begin(), kinds.end(),
                       [&](const std::string& kind) { return words.find(kind) != std::string::npos; });
}

bool cut_preface_label(std::string_view& text, std::string_view source, const WordingTable& wordings) {
    const auto found = label_of(text, kLongestPreface);
    if (!found || !begins_with_one_of(found->label, wordings.list("prefaces"))) return false;
    if (const auto own = label_of(source, kLongestPreface); own && own->label == found->label) return false;
    const bool ends_line = trim_view(found->rest.substr(0, found->rest.find('\n'))).empty();
    if (!ends_line && !names_a_text(found->label, wordings)) return false;
    text = trim_view(found->rest);
    return true;
}

// "The sentence is long. Here is a simpler version:" at a line's end, after whatever a model had to say before.
bool cut_talk(std::string_view& text, std::string_view source, const WordingTable& wordings) {
    if (source.find('\n') != std::string_view::npos) return false;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string line = plain_words(text.substr(begin, end - begin));
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

// What comes after a paragraph's end and begins as remarks do; the first paragraph is never one.
bool cut_remarks(std::string_view& text, std::string_view source, const std::vector<std::string>& remarks) {
    const bool is_told_by_i = source.starts_with("I ") || source.find(" I ") != std::string_view::npos;
    for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) {
        const std::string_view rest = trim_view(text.substr(at));
        if (rest.empty() || !begins_with_one_of(plain_words(rest.substr(0, kLongestPreface)), remarks)) continue;
        if (is_told_by_i && plain_words(rest.substr(0, 2)).starts_with("i")) continue;  // its own first person
        text = trim_view(text.substr(0, at));
        return true;
    }
    return false;
}

bool has_such_a_line(std::string_view text, const std::vector<std::string>& beginnings) {
    for (const std::string_view line : stripped_lines(text))
        if (begins_with_one_of(plain_words(line.substr(0, kLongestPreface)), beginnings)) return true;
    return false;
}

bool cut_remarks(std::string_view& text, std::string_view source, const WordingTable& wordings, SimplifiedForm form) {
    if (form == SimplifiedForm::sentence) return cut_remarks(text, source, wordings.list("remarks"));
    const std::vector<std::string>& remarks = wordings.list("document_remarks");
    return !has_such_a_line(source, remarks) && cut_remarks(text, source, remarks);
}

// The bytes of a list's mark and the blank after it.
size_t list_mark_and_blank(std::string_view line) {
    const size_t mark = list_mark(line);
    return mark > 0 && line.substr(mark).starts_with(' ') ? mark + 1 : 0;
}

// Its lines, joined by blanks. Marks of lists go where several lines have one.
std::string one_line(std::string_view text, Leniency& noted) {
    std::vector<std::string_view> lines = stripped_lines(text);
    std::erase_if(lines, [](std::string_view line) { return line.empty(); });
    const bool listed = lines.size() > 1 && std::all_of(lines.begin(), lines.end(), list_mark_and_blank);
    std::string joined;
    for (std::string_view line : lines) {
        if (listed) line = trim_view(line.substr(list_mark_and_blank(line)));
        joined += (joined.empty() ? "" : " ") + std::string(line);
    }
    note_leniency(noted, "listed", listed);
    note_leniency(noted, "lines", lines.size() > 1);
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
    std::string_view text = trim_view(reply);
    source = trim_view(source);
    note_leniency(read.noted, "thinking", cut_thinking(text));
    note_leniency(read.noted, "prefaced", cut_talk(text, source, wordings));
    note_leniency(read.noted, "remarked", cut_remarks(text, source, wordings, form));
    unwrap(
        text, source, [&](std::string_view& rest) { return cut_preface_label(rest, source, wordings); }, read.noted);
    if (invalid_utf8_at(text) != std::string_view::npos) {
        read.unusable = "not_utf8";
        return read;
    }
    const bool is_document = form == SimplifiedForm::document;
    read.text = is_document ? document_lines(text) : one_line(text, read.noted);
    if (read.text.empty()) read.unusable = "empty";
    const bool is_source = read.text == (is_document ? document_lines(source) : std::string(source));
    note_leniency(read.noted, "unchanged", !read.text.empty() && is_source);
    return read;
}

}  // namespace craft
