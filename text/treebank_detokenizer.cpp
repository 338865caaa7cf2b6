// NLTK's detokenizer is a fixed sequence of substitutions (nltk/tokenize/treebank.py, 3.10.4). Each is one linear pass here,
// in the same order and with the same left-to-right consumption, because later ones see what earlier ones wrote.
#include "text/treebank_detokenizer.h"

#include <array>

#include "text/code_points.h"
#include "text/contractions.h"

namespace craft {

namespace {

bool one_of(char32_t c, std::u32string_view set) {
    return set.find(c) != std::u32string_view::npos;
}

class Detokenizer {
public:
    explicit Detokenizer(std::string_view text) {
        text_ = U' ' + decode_utf8(text) + U' ';
        join_contractions(text_);
        if (has(U'\'') || has(U'"')) ending_quotes();
        strip();
        double_dashes();
        brackets();
        punctuation();
        if (has(U'`')) starting_quotes();
        strip();
    }
    const std::u32string& text() const { return text_; }

private:
    bool has(char32_t c) const { return text_.find(c) != std::u32string::npos; }
    // After the end stands a character that is in none of the rules' classes; rules that a negated class begins look at
    // characters within only.
    char32_t at(size_t i) const { return i < text_.size() ? text_[i] : 0; }
    bool space_at(size_t i) const { return is_unicode_space(at(i)); }
    bool starts_with(size_t i, std::u32string_view part) const {
        return i <= text_.size() && std::u32string_view(text_).substr(i, part.size()) == part;
    }

    // `match(i)` writes what stands for the match that begins at i and returns the match's length, 0 where there is none.
    template <class Match>
    void substitute(Match match) {
        out_.clear();
        for (size_t i = 0; i < text_.size();) {
            const size_t length = match(i);
            if (length == 0) out_.push_back(text_[i]);
            i += length == 0 ? 1 : length;
        }
        text_.swap(out_);
    }
    size_t write(std::u32string_view replacement, size_t length) {
        out_ += replacement;
        return length;
    }
    size_t write(char32_t first, std::u32string_view rest, size_t length) {
        out_.push_back(first);
        return write(rest, length);
    }
    // \s(x) -> x, for x of a set: the blank goes, and x is looked at no more.
    void drop_space_before(std::u32string_view set) {
        substitute([&](size_t i) {
            return space_at(i) && one_of(at(i + 1), set) ? write(std::u32string_view(&text_[i + 1], 1), 2) : 0;
        });
    }
    void drop_space_after(std::u32string_view set) {
        substitute([&](size_t i) {
            return one_of(text_[i], set) && space_at(i + 1) ? write(std::u32string_view(&text_[i], 1), 2) : 0;
        });
    }

    void strip() {
        size_t from = 0, to = text_.size();
        while (from < to && is_space(text_[from])) ++from;
        while (to > from && is_space(text_[to - 1])) --to;
        text_ = text_.substr(from, to - from);
    }

    // ([^' ])\s(clitic)[ ] -> "\1\2 "
    template <class Clitic>
    void join_clitics(Clitic clitic_at) {
        substitute([&](size_t i) -> size_t {
            if (text_[i] == '\'' || text_[i] == ' ' || !space_at(i + 1)) return 0;
            const size_t length = clitic_at(i + 2);
            if (length == 0 || at(i + 2 + length) != ' ') return 0;
            return write(text_[i], std::u32string_view(&text_[i + 2], length + 1), length + 3);
        });
    }

    void ending_quotes() {
        join_clitics([&](size_t i) -> size_t {
            static constexpr std::array<std::u32string_view, 8> kClitics{U"'ll", U"'LL", U"'re", U"'RE",
                                                                         U"'ve", U"'VE", U"n't", U"N'T"};
            for (std::u32string_view clitic : kClitics) {
                if (starts_with(i, clitic)) return clitic.size();
            }
            return 0;
        });
        // A lone apostrophe is the last choice: before a letter of the others it has no blank after it.
        join_clitics([&](size_t i) -> size_t {
            if (at(i) != '\'') return 0;
            return one_of(at(i + 1), U"sSmMdD") ? 2 : 1;
        });
        // ([^'\s])\s('') -> \1\2
        substitute([&](size_t i) {
            const bool opens = text_[i] != '\'' && !is_unicode_space(text_[i]) && space_at(i + 1);
            return opens && starts_with(i + 2, U"''") ? write(text_[i], U"''", 4) : 0;
        });
        closing_quotes_after_punctuation();
        // ('')\s([.,:)\]>};%]) -> \1\2
        substitute([&](size_t i) {
            const bool closes = starts_with(i, U"''") && space_at(i + 2) && one_of(at(i + 3), U".,:)]>};%");
            return closes ? write(text_[i], std::u32string{text_[i + 1], text_[i + 3]}, 4) : 0;
        });
        substitute([&](size_t i) { return starts_with(i, U"''") ? write(U"\"", 2) : 0; });
        // ([,.;:!?])"(') -> \1'"
        substitute([&](size_t i) {
            const bool inside_out = one_of(text_[i], U",.;:!?") && starts_with(i + 1, U"\"'");
            return inside_out ? write(text_[i], U"'\"", 3) : 0;
        });
    }

    // ([,.;:!?'])\s+("|'') -> \1\2
    void closing_quotes_after_punctuation() {
        substitute([&](size_t i) -> size_t {
            if (!one_of(text_[i], U",.;:!?'") || !space_at(i + 1)) return 0;
            size_t quote = i + 2;
            while (space_at(quote)) ++quote;
            if (at(quote) == '"') return write(text_[i], U"\"", quote + 1 - i);
            return starts_with(quote, U"''") ? write(text_[i], U"''", quote + 2 - i) : 0;
        });
    }

    void double_dashes() {
        substitute([&](size_t i) { return starts_with(i, U" -- ") ? write(U"--", 4) : 0; });
    }

    void brackets() {
        drop_space_after(U"[({<");
        drop_space_before(U"])}>");
        // ([\]\)\}\>])\s([:;,.]) -> \1\2
        substitute([&](size_t i) {
            const bool closes = one_of(text_[i], U"])}>") && space_at(i + 1) && one_of(at(i + 2), U":;,.");
            return closes ? write(text_[i], std::u32string_view(&text_[i + 2], 1), 3) : 0;
        });
    }

    void punctuation() {
        // ([^'])\s'\s -> "\1' "
        substitute([&](size_t i) {
            const bool lone = text_[i] != '\'' && space_at(i + 1) && at(i + 2) == '\'' && space_at(i + 3);
            return lone ? write(text_[i], U"' ", 4) : 0;
        });
        drop_space_before(U"?!");
        periods();
        drop_space_after(U"#$");
        drop_space_before(U";%");
        // \s\.\.\.\s -> ...
        substitute(
            [&](size_t i) { return space_at(i) && starts_with(i + 1, U"...") && space_at(i + 4) ? write(U"...", 5) : 0; });
        drop_space_before(U":,");
    }

    // ([^\.])\s(\.)(?!\.)([\]\)}>"\']*) -> \1\2\3
    void periods() {
        substitute([&](size_t i) -> size_t {
            if (text_[i] == '.' || !space_at(i + 1) || at(i + 2) != '.' || at(i + 3) == '.') return 0;
            size_t end = i + 3;
            while (end < text_.size() && one_of(text_[end], U"])}>\"'")) ++end;
            return write(text_[i], std::u32string_view(text_).substr(i + 2, end - i - 2), end - i);
        });
    }

    void starting_quotes() {
        // ([ (\[{<])\s`` -> \1``
        substitute([&](size_t i) {
            const bool opens = one_of(text_[i], U" ([{<") && space_at(i + 1) && starts_with(i + 2, U"``");
            return opens ? write(text_[i], U"``", 4) : 0;
        });
        substitute([&](size_t i) { return starts_with(i, U"``") && space_at(i + 2) ? write(U"``", 3) : 0; });
        substitute([&](size_t i) { return starts_with(i, U"``") ? write(U"\"", 2) : 0; });
    }

    std::u32string text_, out_;
};

}  // namespace

std::string treebank_detokenize(std::string_view text) {
    const Detokenizer detokenizer(text);
    std::string out;
    out.reserve(text.size());
    for (char32_t c : detokenizer.text()) append_utf8(out, c);
    return out;
}

}  // namespace craft
