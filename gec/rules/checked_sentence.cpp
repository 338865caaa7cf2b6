#include "gec/rules/checked_sentence.h"

#include <algorithm>

#include "text/code_points.h"
#include "text/utf8.h"

namespace craft {

namespace {

EnglishDocument without_spaces(const EnglishDocument& document) {
    std::vector<size_t> place(document.size(), 0);
    EnglishDocument tokens;
    for (size_t i = 0; i < document.size(); ++i) {
        place[i] = tokens.size();
        if (!document[i].is_space) tokens.push_back(document[i]);
    }
    size_t at = 0;
    for (size_t i = 0; i < document.size(); ++i) {
        if (document[i].is_space) continue;
        const size_t head = document[i].head;
        tokens[at].head = document[head].is_space ? at : place[head];
        ++at;
    }
    return tokens;
}

bool is_capital(std::string_view word) {
    return !word.empty() &&
           lowercase(word.substr(0, code_point_at(word, 0).bytes)) != word.substr(0, code_point_at(word, 0).bytes);
}

std::string small_first(std::string_view word) {
    const size_t bytes = word.empty() ? 0 : code_point_at(word, 0).bytes;
    return lowercase(word.substr(0, bytes)) + std::string(word.substr(bytes));
}

}  // namespace

CheckedSentence::CheckedSentence(std::string text, const EnglishDocument& document)
    : text_(std::move(text)), tokens_(without_spaces(document)), parse_(tokens_, 0, tokens_.size()) {
    for (size_t i = 1; i < tokens_.size() && !tokenised_; ++i) {
        const std::string& one = tokens_[i].lower;
        const bool is_mark = one == "," || one == "." || one == "?" || one == "!" || one == "n't" || one == "'s";
        tokenised_ = is_mark && begin_of(i) > end_of(i - 1);
    }
}

std::string_view CheckedSentence::lower(size_t token) const {
    return token < tokens_.size() ? std::string_view(tokens_[token].lower) : std::string_view();
}

std::string_view CheckedSentence::tag(size_t token) const {
    return token < tokens_.size() ? std::string_view(tokens_[token].tag) : std::string_view();
}

bool CheckedSentence::is_word(size_t token) const {
    const std::u32string signs = decode_utf8(tokens_[token].text);
    return !signs.empty() && is_letter(signs[0]) && std::all_of(signs.begin(), signs.end(), [](char32_t c) {
        return is_letter(c) || c == '-' || c == '\'' || c == 0x2019 || c == 0x2010 || c == 0x2011;
    });
}

bool CheckedSentence::has_capital(size_t token) const {
    return is_capital(tokens_[token].text);
}

bool CheckedSentence::is_glued(size_t token) const {
    return token > 0 && begin_of(token) == end_of(token - 1);
}

std::string CheckedSentence::phrase(size_t first, size_t last) const {
    std::string words;
    for (size_t i = first; i < last; ++i) {
        if (i > first && !is_glued(i)) words += ' ';
        words += tokens_[i].lower;
    }
    return words;
}

TextReplacement CheckedSentence::replaced(size_t first, size_t last, const std::string& words) const {
    const bool keeps = has_capital(first) && (first == 0 || tokens_[first].lower != "i");
    return {begin_of(first), end_of(last - 1), keeps ? uppercase_first(words) : words};
}

TextReplacement CheckedSentence::inserted_before(size_t token, const std::string& words) const {
    const EnglishToken& next = tokens_[token];
    const bool moves = token == 0 && has_capital(0);
    if (!moves) return {next.byte, next.byte, words + " "};
    const bool stays = next.text == "I" || !next.entity.empty();
    return {next.byte, end_of(0), uppercase_first(words) + " " + (stays ? next.text : small_first(next.text))};
}

TextReplacement CheckedSentence::inserted_after(size_t token, const std::string& words) const {
    return {end_of(token), end_of(token), " " + words};
}

TextReplacement CheckedSentence::mark_after(size_t token, const std::string& mark) const {
    return {end_of(token), end_of(token), tokenised_ ? " " + mark : mark};
}

TextReplacement CheckedSentence::removed(size_t first, size_t last) const {
    // One side keeps its blank: what stood on the word before leaves that of the word behind.
    const bool keeps_behind = is_glued(first);
    if (first > 0 && (keeps_behind || last >= tokens_.size() || is_glued(last)))
        return {keeps_behind ? begin_of(first) : end_of(first - 1), end_of(last - 1), ""};
    if (last >= tokens_.size()) return {begin_of(first), end_of(last - 1), ""};
    if (first == 0 && has_capital(0)) return {begin_of(0), end_of(last), uppercase_first(tokens_[last].text)};
    return {begin_of(first), begin_of(last), ""};
}

std::optional<size_t> subject_of(const CheckedSentence& sentence, size_t verb) {
    const ParsedSentence& parse = sentence.parse();
    const EnglishToken& token = sentence[verb];
    const bool helps = token.dep == "aux" || token.dep == "auxpass";
    const size_t main = helps ? token.head : verb;
    std::optional<size_t> subject = parse.subject(main);
    if (!subject) return std::nullopt;
    const EnglishToken& found = sentence[*subject];
    if (found.dep == "expl" && found.lower == "there") {
        const std::optional<size_t> real = parse.child(main, {"attr", "dobj", "nsubj"});
        return real ? real : subject;
    }
    const bool is_relative = is_one_of(found.lower, {"who", "which", "that"}) && sentence[main].dep == "relcl";
    return is_relative ? sentence[main].head : subject;
}

GrammaticalNumber subject_number(const CheckedSentence& sentence, size_t verb) {
    const std::optional<size_t> subject = subject_of(sentence, verb);
    if (!subject) return GrammaticalNumber::unknown;
    const std::string_view word = sentence.lower(*subject);
    if (is_one_of(word, {"i", "you", "people", "both", "many", "few"})) return GrammaticalNumber::plural;
    if (is_one_of(word, {"everyone", "everybody", "someone", "somebody", "anyone", "nobody", "everything", "something",
                         "nothing", "each"}))
        return GrammaticalNumber::singular;
    return sentence.parse().number(*subject);
}

}  // namespace craft
