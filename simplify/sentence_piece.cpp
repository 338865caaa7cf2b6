#include "simplify/sentence_piece.h"

#include <algorithm>
#include <cctype>

#include "english/indefinite_article.h"
#include "text/utf8.h"

namespace craft {

namespace {

bool is_mark(const std::string& text) {
    return is_one_of(text, {",", ";", ":", ".", "!", "?", "-", "–", "—", "--", "(", ")", "\"", "“", "”", "'"});
}

bool is_joint(const std::string& text) {
    return is_one_of(text, {",", ";", ":", "–", "—", "--"});
}

// What is written without a blank before it.
bool clings(const std::string& text) {
    return is_one_of(text, {",", ";", ":", ".", "!", "?", ")", "'s", "’s", "'", "n't", "n’t", "%"});
}

bool keeps_capital(const ParsedSentence& s, size_t token) {
    return s[token].lower == "i" || s[token].tag.starts_with("NNP") || s[token].entity_place != 'O' ||
           std::count_if(s[token].text.begin(), s[token].text.end(), [](unsigned char c) { return std::isupper(c) != 0; }) >
               1;
}

bool has_blank_between(const ParsedSentence& s, const PieceWord& a, const PieceWord& b) {
    const bool neighbours = a.token != PieceWord::kPutIn && b.token == a.token + 1;
    if (neighbours) return s[a.token].space_after;
    return !clings(b.text) && a.text != "(";
}

}  // namespace

PieceWords words_of(const ParsedSentence& sentence, const std::vector<size_t>& tokens) {
    PieceWords words;
    for (const size_t token : tokens) words.push_back({sentence[token].text, token});
    return words;
}

PieceWord put_in(std::string text) {
    return {std::move(text), PieceWord::kPutIn};
}

bool is_comma(const PieceWord& word) {
    return word.text == ",";
}

PieceWords trimmed(PieceWords words) {
    while (!words.empty() && (is_joint(words.back().text) || words.back().text == ".")) words.pop_back();
    size_t first = 0;
    while (first < words.size() && is_joint(words[first].text)) ++first;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first));
    return words;
}

std::vector<size_t> places_of(const PieceWords& words, const std::vector<size_t>& tokens) {
    std::vector<size_t> places;
    for (size_t i = 0; i < words.size(); ++i)
        if (words[i].token != PieceWord::kPutIn && std::binary_search(tokens.begin(), tokens.end(), words[i].token))
            places.push_back(i);
    for (size_t i = 1; i < places.size(); ++i)
        for (size_t between = places[i - 1] + 1; between < places[i]; ++between)
            if (words[between].token != PieceWord::kPutIn) return {};
    return places;
}

PieceWords without(const PieceWords& words, const std::vector<size_t>& tokens, bool keeps_comma) {
    const std::vector<size_t> places = places_of(words, tokens);
    if (places.empty()) return words;
    size_t begin = places.front(), end = places.back() + 1;
    const bool opened = begin > 0 && is_joint(words[begin - 1].text), at_start = begin == 0;
    const bool closed = end < words.size() && is_joint(words[end].text);
    // "X, who ..., did" loses both commas. One before a part that has none after it belongs to what follows.
    if (opened && (closed || ends_at(words, end))) --begin;
    if (closed && (at_start || (opened && !keeps_comma))) ++end;
    PieceWords rest(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(begin));
    rest.insert(rest.end(), words.begin() + static_cast<std::ptrdiff_t>(end), words.end());
    return rest;
}

bool holds(const PieceWords& words, size_t token) {
    return std::any_of(words.begin(), words.end(), [&](const PieceWord& word) { return word.token == token; });
}

bool ends_at(const PieceWords& words, size_t place) {
    return place >= words.size() ||
           count_words(PieceWords(words.begin() + static_cast<std::ptrdiff_t>(place), words.end())) == 0;
}

PieceWords part(const PieceWords& words, size_t begin, size_t end) {
    return {words.begin() + static_cast<std::ptrdiff_t>(begin), words.begin() + static_cast<std::ptrdiff_t>(end)};
}

PieceWords joined(PieceWords first, const PieceWords& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

size_t count_words(const PieceWords& words) {
    return static_cast<size_t>(
        std::count_if(words.begin(), words.end(), [](const PieceWord& word) { return !is_mark(word.text); }));
}

std::string written(const ParsedSentence& sentence, const PieceWords& given) {
    const PieceWords words = trimmed(given);
    std::string text;
    for (size_t i = 0; i < words.size(); ++i) {
        const bool moved = i > 0 && words[i].token == sentence.begin() && !keeps_capital(sentence, words[i].token);
        const std::string word = moved ? lowercase(words[i].text) : words[i].text;
        const bool met = i + 1 < words.size() && words[i].token + 1 != words[i + 1].token;
        text += met ? article_before(word, words[i + 1].text) : word;
        if (i + 1 < words.size() && has_blank_between(sentence, words[i], words[i + 1])) text += " ";
    }
    text = uppercase_first(text);
    if (!text.empty() && !is_one_of(text.substr(text.size() - 1), {".", "!", "?"})) text += ".";
    return text;
}

}  // namespace craft
