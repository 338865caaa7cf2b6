#include "eval/editeval/fruit_marks.h"

#include <optional>

#include "core/error.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::string_view kContextMark = "[CONTEXT]";

// A number between brackets: what it says, and how long it is.
struct Mark {
    char open = '[';
    std::string_view digits;
    size_t length = 0;
};

std::optional<Mark> mark_at(std::string_view text, size_t at) {
    const char open = text[at];
    if (open != '[' && open != '(') return std::nullopt;
    size_t end = at + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == at + 1 || end == text.size() || text[end] != (open == '[' ? ']' : ')')) return std::nullopt;
    return Mark{open, text.substr(at + 1, end - at - 1), end + 1 - at};
}

// The number, if it is one below `limit` as it would be printed: "07" is none.
std::optional<size_t> number_below(std::string_view digits, size_t limit) {
    size_t number = 0;
    for (const char digit : digits) {
        number = 10 * number + static_cast<size_t>(digit - '0');
        if (number >= limit) return std::nullopt;
    }
    if (std::to_string(number) != digits) return std::nullopt;
    return number;
}

// A context begins with the name of its page, whose blanks are underscores.
bool begins_with_page(std::string_view text) {
    const std::string_view name = trim_view(text).substr(0, trim_view(text).find(' '));
    return !name.empty() && name.find_first_of(";!?[]\"<>|~`@#$%^&*+{}=") == std::string_view::npos;
}

// The texts after the marks (0), (1) ... of one kind.
std::vector<std::string> numbered_texts(std::string_view text, char open) {
    std::vector<std::string> texts;
    size_t begin = 0;  // of the text after the last mark that counted
    const auto close = [&](size_t end) {
        if (!texts.empty()) texts.back() = trim(text.substr(begin, end - begin));
    };
    for (size_t at = 0; at < text.size(); ++at) {
        const auto mark = text[at] == open ? mark_at(text, at) : std::nullopt;
        if (!mark) continue;
        const size_t behind = at + mark->length;
        // Up to the next mark of any number: that may be text, but no name of a page holds one.
        const bool is_next =
            mark->digits == std::to_string(texts.size()) &&
            (open == '[' || begins_with_page(text.substr(behind, std::min<size_t>(text.size() - behind, 1024))));
        if (is_next) {
            close(at);
            texts.emplace_back();
            begin = behind;
        }
        at = behind - 1;
    }
    close(text.size());
    return texts;
}

RetrievedDocument document_of(const std::string& context) {
    const size_t blank = context.find(' ');
    if (blank == std::string::npos) return {.title = "", .text = context};
    std::string title = context.substr(0, blank);
    for (char& c : title)
        if (c == '_') c = ' ';
    return {.title = std::move(title), .text = context.substr(blank + 1)};
}

void append_part(std::string& text, std::string_view part) {
    if (part.empty()) return;
    if (!text.empty()) text += ' ';
    text += part;
}

// The next place of one of some characters, remembered so that a text is looked through once.
class NextPlace {
public:
    NextPlace(std::string_view text, std::string_view characters) : text_(text), characters_(characters) {}
    // `begin` must not go back.
    size_t from(size_t begin) {
        if (!known_ || at_ < begin) at_ = text_.find_first_of(characters_, begin);
        known_ = true;
        return at_;
    }

private:
    std::string_view text_, characters_;
    size_t at_ = 0;
    bool known_ = false;
};

// Takes out what stands from each `begin` to the `end` that follows it, if no "]" stands between.
std::string without_spans(std::string_view text, std::string_view begin, std::string_view end) {
    std::string kept;
    NextPlace bracket(text, "]");
    size_t done = 0;
    for (size_t at = text.find(begin); at != text.npos; at = text.find(begin, done)) {
        const size_t inside = at + begin.size(), close = bracket.from(inside);
        kept += text.substr(done, at - done);
        done = at;
        if (close != text.npos && close > inside && text.substr(close).starts_with(end))
            done = close + end.size();
        else
            kept += text[done++];
    }
    return kept += text.substr(done);
}

// [[page|words]] becomes words.
std::string without_link_pages(std::string_view text) {
    std::string kept;
    NextPlace bar_or_bracket(text, "|]"), bracket(text, "]");
    size_t done = 0;
    for (size_t at = text.find("[["); at != text.npos; at = text.find("[[", done)) {
        const size_t bar = bar_or_bracket.from(at + 2), close = bracket.from(at + 2);
        kept += text.substr(done, at - done);
        done = at;
        if (close != text.npos && text[bar] == '|' && bar > at + 2 && close > bar + 1 &&
            text.substr(close).starts_with("]]")) {
            kept += text.substr(bar + 1, close - bar - 1);
            done = close + 2;
        } else {
            kept += text[done++];
        }
    }
    return kept += text.substr(done);
}

std::string without_each(std::string_view text, std::string_view part) {
    std::string kept;
    for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part)) {
        kept += text.substr(0, at);
        text.remove_prefix(at + part.size());
    }
    return kept += text;
}

}  // namespace

FruitSource parse_fruit_source(std::string_view text, const std::string& where) {
    const size_t context = text.find(kContextMark);
    if (context == std::string_view::npos)
        throw Error(where, "numbered sentences, [CONTEXT] and numbered contexts", "a text without [CONTEXT]");
    FruitSource source;
    source.sentences = numbered_texts(text.substr(0, context), '[');
    if (source.sentences.empty()) throw Error(where, "sentences with marks from [0] on", "a text without [0]");
    for (const std::string& one : numbered_texts(text.substr(context + kContextMark.size()), '('))
        source.documents.push_back(document_of(one));
    return source;
}

std::string resolve_fruit_target(std::string_view target, const FruitSource& source) {
    std::string text, citations;
    size_t begin = 0;
    const auto close = [&](size_t end) {
        const std::string_view part = trim_view(target.substr(begin, end - begin));
        if (part.empty()) return;
        append_part(text, part);
        append_part(text, citations);
        citations.clear();
    };
    for (size_t at = 0; at < target.size(); ++at) {
        const auto mark = mark_at(target, at);
        if (!mark) continue;
        const size_t behind = at + mark->length;
        const auto sentence = mark->open == '[' ? number_below(mark->digits, source.sentences.size()) : std::nullopt;
        const auto document = mark->open == '(' ? number_below(mark->digits, source.documents.size()) : std::nullopt;
        if (sentence || document) {
            close(at);
            begin = behind;
        }
        if (sentence) append_part(text, source.sentences[*sentence]);
        if (document) append_part(citations, target.substr(at, mark->length));
        at = behind - 1;
    }
    close(target.size());
    return text;
}

std::string without_citations(std::string_view text, size_t documents) {
    std::string kept;
    for (size_t at = 0; at < text.size(); ++at) {
        const auto mark = text[at] == '(' ? mark_at(text, at) : std::nullopt;
        if (mark && number_below(mark->digits, documents))
            at += mark->length - 1;
        else
            kept += text[at];
    }
    return kept;
}

std::string without_wiki_markup(std::string_view text) {
    std::string plain = without_spans(text, "[[Category", "]]");
    plain = without_spans(plain, "[[[REF", "]]]");
    plain = without_link_pages(plain);
    for (const char* part : {"[[", "]]", "'''", "''"}) plain = without_each(plain, part);
    std::string kept;
    bool first = true;
    for (std::string_view rest = plain;;) {
        const size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        if (!trim_view(line).starts_with("==")) {
            if (!std::exchange(first, false)) kept += '\n';
            kept += line;
        }
        if (end == std::string_view::npos) return kept;
        rest.remove_prefix(end + 1);
    }
}

}  // namespace craft
