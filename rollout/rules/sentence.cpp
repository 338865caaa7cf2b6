#include "rollout/rules/sentence.h"

#include <algorithm>

#include "core/ascii.h"
#include "english/indefinite_article.h"

namespace craft {

namespace {

bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
bool is_letter_or_digit(char c) {
    return is_upper(c) || is_lower(c) || (c >= '0' && c <= '9');
}

// Bytes of a word's character at `i`: 0 if there is none. Non-ASCII letters are taken as part of words; general punctuation
// (dashes, quotes) and Latin-1 signs are not.
size_t word_bytes(std::string_view text, size_t i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x80) return is_letter_or_digit(text[i]) ? 1 : 0;
    if (byte == 0xC2) return 0;
    if (byte == 0xE2 && i + 2 < text.size() && static_cast<unsigned char>(text[i + 1]) == 0x80) return 0;
    return 1;
}

// An apostrophe or hyphen inside a word: its bytes, 0 if it is not one.
size_t inner_mark(std::string_view text, size_t i) {
    size_t bytes = 0;
    if (text[i] == '\'' || text[i] == '-')
        bytes = 1;
    else if (text.substr(i, 3) == "’")
        bytes = 3;
    return bytes > 0 && i + bytes < text.size() && word_bytes(text, i + bytes) > 0 ? bytes : 0;
}

bool is_closing(char c) {
    return c == '.' || c == '!' || c == '?' || c == '"' || c == '\'' || c == ')' || c == ']';
}

size_t body_end_of(std::string_view text) {
    size_t end = text.size(), mark = text.size();
    while (end > 0) {
        if (end >= 3 && (text.substr(end - 3, 3) == "”" || text.substr(end - 3, 3) == "’")) {
            end -= 3;
        } else if (is_closing(text[end - 1])) {
            --end;
        } else {
            break;
        }
        mark = end;
    }
    return mark;
}

void drop_leading_blanks(std::string& text) {
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
}

// Whether this is the end, or begins with a mark that ends a part of the sentence.
bool ends_part(std::string_view text) {
    return text.empty() || is_closing(text[0]) || text[0] == ';' || text[0] == ':';
}

// Whether a blank goes between the two.
bool stand_apart(std::string_view before, std::string_view after) {
    if (ends_part(after) || after[0] == ',' || after[0] == '\n') return false;
    return before.back() != '\n' && before.back() != '(' && before.back() != '"' && !before.ends_with("“");
}

// Writes "a" or "an" to suit the word after position `at` of `text`, if the word before `at` is one of them.
void fix_article(std::string& text, size_t at) {
    size_t end = at;
    while (end > 0 && text[end - 1] == ' ') --end;
    size_t begin = end;
    while (begin > 0 && word_bytes(text, begin - 1) > 0) --begin;
    // "A" after other words is a letter: "vitamin A is".
    if (begin > 0 && text[begin - 1] == ' ' && text[begin] == 'A') return;
    const std::string article = text.substr(begin, end - begin);
    text.replace(begin, end - begin, article_before(article, std::string_view(text).substr(at)));
}

}  // namespace

Sentence::Sentence(std::string text) : text_(std::move(text)) {
    lower_.reserve(text_.size());
    words_.reserve(text_.size() / 5 + 2);
    for (size_t i = 0; i < text_.size();) {
        size_t bytes = word_bytes(text_, i);
        if (bytes == 0) {
            if (!words_.empty() && text_[i] != ' ') words_.back().tight = false;
            ++i;
            continue;
        }
        Word word{i, i, lower_.size(), 0, true};
        while (i < text_.size()) {
            if ((bytes = word_bytes(text_, i)) > 0) {
                lower_.push_back(is_upper(text_[i]) ? static_cast<char>(text_[i] + 32) : text_[i]);
            } else if ((bytes = inner_mark(text_, i)) > 0) {
                lower_.push_back(text_[i] == '-' ? '-' : '\'');
            } else {
                break;
            }
            i += bytes;
        }
        word.end = i;
        word.lower_size = lower_.size() - word.lower;
        words_.push_back(word);
    }
    body_end_ = body_end_of(text_);
}

std::string Sentence::without(size_t begin, size_t end) const {
    std::string before = text_.substr(0, begin), after = text_.substr(end);
    while (before.ends_with(' ')) before.pop_back();
    drop_leading_blanks(after);
    const bool comma_before = before.ends_with(',');
    if (after.starts_with(',') && (before.empty() || comma_before)) {  // both commas belonged to what went
        after.erase(0, 1);
        drop_leading_blanks(after);
        if (comma_before) before.pop_back();
    } else if (comma_before && ends_part(after)) {
        before.pop_back();
    }
    if (before.empty()) return with_capital(after);
    if (stand_apart(before, after)) before += ' ';
    const size_t at = before.size();
    before += after;
    fix_article(before, at);
    return before;
}

std::string Sentence::replaced(size_t i, size_t n, std::string_view to) const {
    const size_t begin = begin_of(i), end = end_of(i + n - 1);
    if (to.empty()) return without(begin, end);
    std::string out = text_.substr(0, begin);
    out += to;
    if (capital(i) && is_lower(to[0])) out[begin] = static_cast<char>(out[begin] - 32);
    out.append(text_, end, std::string::npos);
    fix_article(out, begin);
    return out;
}

Pieces pieces_of(std::string_view text, SentenceRule rule) {
    Pieces pieces;
    const auto views = sentence_views(text, rule);
    for (size_t i = 0; i < views.size(); ++i) {
        pieces.sentences.emplace_back(views[i]);
        const char* const end = views[i].data() + views[i].size();
        const char* const next = i + 1 < views.size() ? views[i + 1].data() : end;
        pieces.gaps.emplace_back(end, next);
    }
    return pieces;
}

std::string joined(const std::vector<std::string>& sentences, const std::vector<std::string>& gaps) {
    std::string text;
    for (size_t i = 0; i < sentences.size(); ++i) {
        text += sentences[i];
        if (i + 1 < sentences.size()) text += gaps[i];
    }
    return text;
}

std::string with_capital(std::string text) {
    if (!text.empty() && is_lower(text[0])) text[0] = static_cast<char>(text[0] - 32);
    return text;
}

std::string in_lower_case(const std::string& text, const Rules& rules, const WordSet& lower_words, bool* changed) {
    if (changed != nullptr) *changed = false;
    if (text.empty() || !is_upper(text[0])) return text;
    size_t end = 0;
    while (end < text.size() && word_bytes(text, end) > 0) ++end;
    if (std::any_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(end), is_upper)) return text;
    const std::string word = ascii_lower(std::string_view(text).substr(0, end));
    if (word == "i") return text;
    if (!rules.common_words.contains(word) && !lower_words.contains(word)) return text;
    std::string out = text;
    out[0] = static_cast<char>(out[0] + 32);
    if (changed != nullptr) *changed = true;
    return out;
}

bool ends_in_abbreviation(const std::string& text, const Rules& rules) {
    if (text.empty() || text.back() != '.') return false;
    size_t begin = text.size() - 1;
    while (begin > 0 && (word_bytes(text, begin - 1) > 0 || text[begin - 1] == '.')) --begin;
    const std::string_view word = std::string_view(text).substr(begin, text.size() - 1 - begin);
    if (word.size() == 1 && is_upper(word[0]) && word[0] != 'I') return true;
    return rules.abbreviations.contains(ascii_lower(word));
}

WordSet lower_case_words(const std::vector<std::string>& sentences) {
    WordSet words;
    for (const auto& sentence : sentences) {
        size_t begin = 0;
        for (size_t i = 0; i <= sentence.size(); ++i) {
            if (i < sentence.size() && word_bytes(sentence, i) > 0) continue;
            if (i > begin && is_lower(sentence[begin]))
                if (const auto word = std::string_view(sentence).substr(begin, i - begin); !words.contains(word))
                    words.emplace(word);
            begin = i + 1;
        }
    }
    return words;
}

}  // namespace craft
