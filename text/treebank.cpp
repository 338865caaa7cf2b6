// NLTK's tokenizer is a fixed sequence of substitutions (nltk/tokenize/destructive.py, 3.7-3.9.2, and 3.10.4 where it
// differs). Each is one linear pass here, in the same order and with the same left-to-right consumption, because later ones
// see what earlier ones wrote. Passes whose characters do not occur are skipped: most sentences need three or four of them.
#include "text/treebank.h"

#include <array>

#include "text/code_points.h"
#include "text/contractions.h"

namespace craft {

namespace {

enum Trigger : unsigned {
    kApostrophe = 1,
    kDoubleQuote = 2,
    kBacktick = 4,
    kOpening = 8,   // « “ ‘ „
    kClosing = 16,  // » ” ’
    kPeriod = 32,
    kColonComma = 64,
    kSymbol = 128,  // ; @ # $ % &
    kQuestion = 256,
    kStar = 512,
    kBracket = 1024,
    kDash = 2048,
    kLongDash = 4096,  // U+2012 to U+2015
};

constexpr std::array<unsigned, 128> ascii_triggers() {
    std::array<unsigned, 128> table{};
    table['\''] = kApostrophe;
    table['"'] = kDoubleQuote;
    table['`'] = kBacktick;
    table['.'] = kPeriod;
    table[':'] = table[','] = kColonComma;
    for (const unsigned char c : {';', '@', '#', '$', '%', '&'}) table[c] = kSymbol;
    table['?'] = table['!'] = kQuestion;
    table['*'] = kStar;
    for (const unsigned char c : {'[', ']', '(', ')', '{', '}', '<', '>'}) table[c] = kBracket;
    table['-'] = kDash;
    return table;
}
constexpr auto kAsciiTriggers = ascii_triggers();

unsigned trigger_of(char32_t c) {
    if (c < 128) return kAsciiTriggers[c];
    switch (c) {
        case U'«':
        case U'“':
        case U'‘':
        case U'„':
            return kOpening;
        case U'»':
        case U'”':
        case U'’':
            return kClosing;
        default:
            return c >= 0x2012 && c <= 0x2015 ? kLongDash : 0U;
    }
}

class Treebank {
public:
    explicit Treebank(std::string_view text, NltkRelease release = NltkRelease::v3_7)
        : text_(decode_utf8(text)), release_(release) {
        for (char32_t c : text_) triggers_ |= trigger_of(c);
        starting_quotes();
        punctuation();
        if (has(kBracket)) pad(kBracket);
        if (has(kDash)) replace_pairs('-', U" -- ");
        text_.insert(text_.begin(), U' ');
        text_.push_back(U' ');
        ending_quotes();
        split_contractions(text_, has(kApostrophe));
    }
    const std::u32string& text() const { return text_; }

private:
    bool has(unsigned triggers) const { return (triggers_ & triggers) != 0; }
    char32_t at(size_t i) const { return i < text_.size() ? text_[i] : 0; }
    void keep(size_t from, size_t count) { out_.append(text_, from, count); }
    void finish_pass() {
        text_.swap(out_);
        out_.clear();
    }

    void pad(unsigned triggers) {
        for (char32_t c : text_) {
            if ((trigger_of(c) & triggers) != 0) {
                out_.push_back(U' ');
                out_.push_back(c);
                out_.push_back(U' ');
            } else {
                out_.push_back(c);
            }
        }
        finish_pass();
    }

    // Runs of at least `least` of `c`, each padded as a whole.
    void pad_runs(char32_t c, size_t least) {
        for (size_t i = 0; i < text_.size();) {
            size_t end = i;
            while (at(end) == c && end < text_.size()) ++end;
            const bool padded = end > i && end - i >= least;
            if (end == i) ++end;
            if (padded) out_.push_back(U' ');
            keep(i, end - i);
            if (padded) out_.push_back(U' ');
            i = end;
        }
        finish_pass();
    }

    void replace_pairs(char32_t c, std::u32string_view by) {
        for (size_t i = 0; i < text_.size(); ++i) {
            if (text_[i] == c && at(i + 1) == c) {
                out_ += by;
                ++i;
            } else {
                out_.push_back(text_[i]);
            }
        }
        finish_pass();
    }

    void starting_quotes() {
        if (has(kOpening)) pad(kOpening);  // never meets backticks, so the order of these two does not matter
        if (has(kBacktick)) pad_runs(U'`', 1);
        if (at(0) == U'"') {
            text_.replace(0, 1, U"``");
            triggers_ |= kBacktick;
        }
        if (has(kBacktick)) replace_pairs(U'`', U" `` ");
        if (has(kDoubleQuote | kApostrophe)) quotes_after_opening();
        if (!has(kApostrophe)) return;
        if (release_ == NltkRelease::v3_7)
            lone_letter_after_apostrophe();
        else
            word_after_apostrophe();
    }

    // ([ \(\[{<])(\"|\'{2}) -> \1 ``
    void quotes_after_opening() {
        for (size_t i = 0; i < text_.size();) {
            const char32_t c = text_[i];
            size_t quote = 0;
            if (c == ' ' || c == '(' || c == '[' || c == '{' || c == '<') {
                if (at(i + 1) == '"') quote = 1;
                if (at(i + 1) == '\'' && at(i + 2) == '\'') quote = 2;
            }
            out_.push_back(c);
            if (quote > 0) out_ += U" `` ";
            i += 1 + quote;
        }
        finish_pass();
    }

    // (?i)(\')(?!re|ve|ll|m|t|s|d|n)(\w)\b -> \1 \2: a one-letter word only, so that re, ve and ll never decide.
    void lone_letter_after_apostrophe() {
        for (size_t i = 0; i < text_.size(); ++i) {
            out_.push_back(text_[i]);
            if (text_[i] != '\'' || i + 1 >= text_.size()) continue;
            const char32_t next = text_[i + 1];
            const char32_t folded = fold_letter(next);
            const bool clitic = folded == 'm' || folded == 't' || folded == 's' || folded == 'd' || folded == 'n';
            if (clitic || !is_word_character(next)) continue;
            if (i + 2 < text_.size() && is_word_character(text_[i + 2])) continue;
            out_.push_back(U' ');
            out_.push_back(next);
            ++i;
        }
        finish_pass();
    }

    // (?i)(?<!\w)(\')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w) -> "\1 "
    void word_after_apostrophe() {
        for (size_t i = 0; i < text_.size(); ++i) {
            out_.push_back(text_[i]);
            if (text_[i] != '\'' || (i > 0 && is_word_character(text_[i - 1]))) continue;
            if (is_word_character(at(i + 1)) && !clitic_at(i + 1)) out_.push_back(U' ');
        }
        finish_pass();
    }

    // One of these letters or pairs, and no more of a word after it.
    bool clitic_at(size_t begin) const {
        for (const std::u32string_view clitic : {U"re", U"ve", U"ll", U"m", U"t", U"s", U"d", U"n"}) {
            size_t same = 0;
            while (same < clitic.size() && fold_letter(at(begin + same)) == clitic[same]) ++same;
            if (same == clitic.size() && !is_word_character(at(begin + same))) return true;
        }
        return false;
    }

    void punctuation() {
        if (has(kPeriod)) final_period(true);
        if (has(kColonComma)) colons_and_commas();
        if (has(kPeriod)) pad_runs(U'.', 2);
        if (has(kSymbol)) pad(kSymbol);
        if (has(kLongDash) && release_ == NltkRelease::v3_10) pad(kLongDash);
        if (has(kPeriod)) final_period(false);
        if (has(kQuestion)) pad(kQuestion);
        if (has(kApostrophe)) apostrophe_before_blank();
        if (has(kStar)) pad(kStar);
    }

    static bool may_follow_final_period(char32_t c, bool unicode_rule) {
        if (c == ']' || c == ')' || c == '}' || c == '>' || c == '"' || c == '\'') return true;
        return unicode_rule && (c == U'»' || c == U'”' || c == U'’' || c == ' ');
    }

    // ([^\.])(\.)([closing]*)\s*$ -> \1 \2 \3 (unicode_rule), or \1 \2\3 (the older rule, with fewer closing characters)
    void final_period(bool unicode_rule) {
        const size_t period = text_.rfind(U'.');
        if (period == std::u32string::npos || period == 0 || text_[period - 1] == '.') return;
        size_t end = period + 1;
        while (end < text_.size() && may_follow_final_period(text_[end], unicode_rule)) ++end;
        for (size_t i = end; i < text_.size(); ++i) {
            if (!is_space(text_[i])) return;
        }
        keep(0, period);
        out_ += unicode_rule ? U" . " : U" .";
        keep(period + 1, end - period - 1);
        out_.push_back(U' ');
        finish_pass();
    }

    // ([:,])([^\d]) -> " \1 \2", then ([:,])$ -> " \1 "
    void colons_and_commas() {
        for (size_t i = 0; i < text_.size(); ++i) {
            const char32_t c = text_[i];
            const bool before_other = (c == ':' || c == ',') && i + 1 < text_.size() && !is_decimal_digit(text_[i + 1]);
            if (before_other) out_.push_back(U' ');
            out_.push_back(c);
            if (before_other) {
                out_.push_back(U' ');
                out_.push_back(text_[++i]);
            }
        }
        finish_pass();
        if (text_.empty()) return;
        // Python's $ also stands before a newline that ends the string.
        const size_t last = text_.size() - 1;
        if (last > 0 && text_[last] == '\n') pad_one_colon_or_comma(last - 1);
        pad_one_colon_or_comma(text_.size() - 1);
    }

    void pad_one_colon_or_comma(size_t i) {
        if (text_[i] != ':' && text_[i] != ',') return;
        text_.insert(i + 1, 1, U' ');
        text_.insert(i, 1, U' ');
    }

    // ([^'])'[ ] -> "\1 ' "
    void apostrophe_before_blank() {
        for (size_t i = 0; i < text_.size(); ++i) {
            out_.push_back(text_[i]);
            if (text_[i] == '\'' || at(i + 1) != '\'' || at(i + 2) != ' ') continue;
            out_ += U" ' ";
            i += 2;
        }
        finish_pass();
    }

    void ending_quotes() {
        if (has(kClosing)) pad(kClosing);
        if (has(kApostrophe)) replace_pairs(U'\'', U" '' ");
        if (has(kDoubleQuote)) double_quotes();
        if (!has(kApostrophe)) return;  // the rest needs one
        single_blanks();
        clitics_of_one_letter();
        clitics_of_two_letters();
    }

    void double_quotes() {
        for (char32_t c : text_) {
            if (c == '"') {
                out_ += U" '' ";
            } else {
                out_.push_back(c);
            }
        }
        finish_pass();
    }

    void single_blanks() {
        for (size_t i = 0; i < text_.size(); ++i) {
            const bool blank = is_space(text_[i]);
            if (blank && i > 0 && is_space(text_[i - 1])) continue;
            out_.push_back(blank ? U' ' : text_[i]);
        }
        finish_pass();
    }

    // ([^' ])('[sS]|'[mM]|'[dD]|')[ ] -> "\1 \2 "
    void clitics_of_one_letter() {
        for (size_t i = 0; i < text_.size(); ++i) {
            const char32_t c = text_[i];
            out_.push_back(c);
            if (c == '\'' || c == ' ' || at(i + 1) != '\'') continue;
            const char32_t letter = at(i + 2);
            const bool known =
                letter == 's' || letter == 'S' || letter == 'm' || letter == 'M' || letter == 'd' || letter == 'D';
            const size_t length = known ? 2 : 1;
            if (at(i + 1 + length) != ' ') continue;
            out_.push_back(U' ');
            keep(i + 1, length + 1);
            i += length + 1;
        }
        finish_pass();
    }

    // ([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T)[ ] -> "\1 \2 "
    void clitics_of_two_letters() {
        static constexpr std::array<std::u32string_view, 8> kClitics{U"'ll", U"'LL", U"'re", U"'RE",
                                                                     U"'ve", U"'VE", U"n't", U"N'T"};
        for (size_t i = 0; i < text_.size(); ++i) {
            const char32_t c = text_[i];
            out_.push_back(c);
            if (c == '\'' || c == ' ' || at(i + 4) != ' ') continue;
            const std::u32string_view next(text_.data() + i + 1, 3);
            for (std::u32string_view clitic : kClitics) {
                if (next != clitic) continue;
                out_.push_back(U' ');
                keep(i + 1, 4);
                i += 4;
                break;
            }
        }
        finish_pass();
    }

    std::u32string text_, out_;
    NltkRelease release_;
    unsigned triggers_ = 0;
};

}  // namespace

std::vector<std::string> treebank_tokens(std::string_view text, NltkRelease release) {
    const Treebank treebank(text, release);
    std::vector<std::string> tokens;
    bool inside = false;
    for (char32_t c : treebank.text()) {
        if (is_space(c)) {
            inside = false;
            continue;
        }
        if (!inside) tokens.emplace_back();
        inside = true;
        append_utf8(tokens.back(), c);
    }
    return tokens;
}

int64_t count_treebank_tokens(std::string_view text) {
    const Treebank treebank(text);
    int64_t count = 0;
    bool inside = false;
    for (char32_t c : treebank.text()) {
        const bool word = !is_space(c);
        if (word && !inside) ++count;
        inside = word;
    }
    return count;
}

}  // namespace craft
