#include "data/constraints/instruction_tokens.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "text/numbers.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongestNumber = 7;  // words: "nine hundred thousand nine hundred and ninety-nine"

bool is_letter_or_digit(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
// Letters of other scripts count as such.
bool is_inner(char c) {
    return is_letter_or_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// An apostrophe within a word opens and closes nothing.
bool opens_at(std::string_view text, size_t at) {
    return at == 0 || !is_letter_or_digit(text[at - 1]);
}
bool closes_at(std::string_view text, size_t at, size_t length) {
    return at + length >= text.size() || !is_letter_or_digit(text[at + length]);
}

// Of the quotation that opens here: what stands in it, and where it ends.
std::optional<std::pair<std::string, size_t>> quotation_at(std::string_view text, size_t at) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kMarks = {
        {{"'", "'"}, {"\"", "\""}, {"`", "`"}, {"\u2018", "\u2019"}, {"\u201c", "\u201d"}}};
    for (const auto& [open, close] : kMarks) {
        if (!text.substr(at).starts_with(open) || !opens_at(text, at)) continue;
        const size_t begin = at + open.size();
        size_t end = text.find(close, begin);
        while (end != std::string::npos && !closes_at(text, end, close.size())) end = text.find(close, end + 1);
        if (end == std::string::npos) return std::nullopt;
        std::string inner(text.substr(begin, end - begin));
        if (inner.size() > 1 && std::string_view(".,;:!?").find(inner.back()) != std::string_view::npos) inner.pop_back();
        if (inner.empty()) return std::nullopt;
        return std::pair(std::move(inner), end + close.size());
    }
    return std::nullopt;
}

// Characters of several bytes that stand for plain ones, and marks of bold type, which stand for nothing.
std::string plain(std::string_view text) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kPlain = {{{"\u2013", "-"},
                                                                                              {"\u2014", " - "},
                                                                                              {"\u2264", "<="},
                                                                                              {"\u2265", ">="},
                                                                                              {"\u2022", "*"},
                                                                                              {"\u00a0", " "},
                                                                                              {"\u2011", "-"},
                                                                                              {"\u2026", "..."},
                                                                                              {"**", ""},
                                                                                              {"__", ""}}};
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const auto found = std::find_if(kPlain.begin(), kPlain.end(),
                                        [&](const auto& pair) { return text.substr(i).starts_with(pair.first); });
        if (found == kPlain.end()) {
            out += text[i++];
        } else {
            out += found->second;
            i += found->first.size();
        }
    }
    return out;
}

class Tokenizer {
public:
    explicit Tokenizer(std::string_view text) : text_(plain(text)) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) step();
        return std::move(out_);
    }

private:
    void add(Token::Kind kind, std::string text) { out_.push_back({kind, std::move(text), 0}); }

    void step() {
        const char c = text_[at_];
        if (c == '\n') {
            if (!out_.empty() && out_.back().kind != Token::Kind::line) add(Token::Kind::line, "\n");
            ++at_;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
            ++at_;
        } else if (auto quotation = quotation_at(text_, at_)) {
            add(Token::Kind::quote, std::move(quotation->first));
            at_ = quotation->second;
        } else if (is_inner(c) && apostrophe_at(at_) == 0) {
            add_word(word_end());
        } else {
            const bool two = (c == '<' || c == '>') && at_ + 1 < text_.size() && text_[at_ + 1] == '=';
            add(Token::Kind::mark, text_.substr(at_, two ? 2 : 1));
            at_ += two ? 2 : 1;
        }
    }

    // Its length, straight or curly.
    size_t apostrophe_at(size_t at) const {
        if (at >= text_.size()) return 0;
        if (text_[at] == '\'') return 1;
        return text_.compare(at, 3, "\u2019") == 0 ? 3 : 0;
    }

    // Apostrophes and points stand within a word, and commas within "1,200".
    size_t word_end() const {
        size_t end = at_;
        while (end < text_.size()) {
            const auto next = [&](size_t k) { return end + k < text_.size() ? text_[end + k] : ' '; };
            const size_t apostrophe = apostrophe_at(end);
            const bool thousands = text_[end] == ',' && is_digit(text_[end - (end > at_ ? 1 : 0)]) && is_digit(next(1)) &&
                                   is_digit(next(2)) && is_digit(next(3)) && !is_digit(next(4));
            if (apostrophe > 0) {
                if (end == at_ || !is_letter_or_digit(next(apostrophe))) break;
                end += apostrophe;
            } else if (is_inner(text_[end]) || thousands ||
                       (text_[end] == '.' && end > at_ && is_digit(text_[end - 1]) && is_digit(next(1)))) {
                ++end;
            } else {
                break;
            }
        }
        return end;
    }

    void add_word(size_t end) {
        std::string word;
        for (; at_ < end; ++at_)
            if (const size_t apostrophe = apostrophe_at(at_)) {
                word += '\'';
                at_ += apostrophe - 1;
            } else {
                word += text_[at_];
            }
        word = lowercase(word);
        // "3x", but not "3rd"
        if (const size_t letter = word.size() - 1;
            letter > 0 && word.find_first_not_of("0123456789") == letter && word.back() == 'x') {
            add(Token::Kind::word, word.substr(0, letter));
            add(Token::Kind::word, "x");
        } else {
            add(Token::Kind::word, std::move(word));
        }
        // Parts of "word-for-word" are words; "3-5" keeps its mark.
        if (at_ + 1 < text_.size() && text_[at_] == '-' && is_letter_or_digit(text_[at_ + 1]) &&
            !(is_digit(text_[at_ - 1]) && is_digit(text_[at_ + 1])))
            ++at_;
    }

    std::string text_;
    size_t at_ = 0;
    std::vector<Token> out_;
};

// The longest number that begins with this word, of this many words.
std::optional<std::pair<Token, size_t>> number_at(const std::vector<Token>& tokens, size_t at) {
    std::optional<std::pair<Token, size_t>> longest;
    std::string phrase;
    for (size_t n = 0; n < kLongestNumber && at + n < tokens.size(); ++n) {
        if (tokens[at + n].kind != Token::Kind::word) break;
        phrase += (n == 0 ? "" : " ") + tokens[at + n].text;
        if (const auto count = parse_number(phrase))
            longest = {Token{Token::Kind::number, phrase, *count}, n + 1};
        else if (const auto ordinal = parse_ordinal(phrase))
            longest = {Token{Token::Kind::ordinal, phrase, *ordinal}, n + 1};
    }
    return longest;
}

}  // namespace

std::vector<Token> instruction_tokens(std::string_view text) {
    static const std::array<std::pair<std::string_view, int64_t>, 3> kTimes = {{{"once", 1}, {"twice", 2}, {"thrice", 3}}};
    const std::vector<Token> words = Tokenizer(text).run();
    std::vector<Token> out;
    for (size_t i = 0; i < words.size();) {
        const auto times =
            std::find_if(kTimes.begin(), kTimes.end(), [&](const auto& pair) { return pair.first == words[i].text; });
        if (auto number = number_at(words, i)) {
            out.push_back(std::move(number->first));
            i += number->second;
        } else if (words[i].kind == Token::Kind::word && times != kTimes.end()) {
            out.push_back({Token::Kind::number, words[i].text, times->second});
            out.push_back({Token::Kind::word, "times", 0});
            ++i;
        } else {
            out.push_back(words[i++]);
        }
    }
    return out;
}

std::set<int64_t> numbers_in(std::string_view text) {
    std::set<int64_t> numbers;
    for (const Token& token : instruction_tokens(text))
        if (token.kind == Token::Kind::number || token.kind == Token::Kind::ordinal) numbers.insert(token.value);
    return numbers;
}

std::set<std::string> quoted_in(std::string_view text) {
    std::set<std::string> quoted;
    for (Token& token : instruction_tokens(text))
        if (token.kind == Token::Kind::quote) quoted.insert(std::move(token.text));
    return quoted;
}

}  // namespace craft
