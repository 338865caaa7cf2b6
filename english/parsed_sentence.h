// A sentence's parse as rules read it: who depends on whom, and what verbs and nouns are like.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "english/token.h"

namespace craft {

enum class GrammaticalNumber { unknown, singular, plural };

// The tokens [begin, end) of an annotated text, which must outlive it. Tokens are meant by their places in the document.
class ParsedSentence {
public:
    ParsedSentence(const EnglishDocument& document, size_t begin, size_t end);

    size_t begin() const { return begin_; }
    size_t end() const { return end_; }
    const EnglishToken& operator[](size_t token) const { return document_[token]; }
    const std::vector<size_t>& children(size_t token) const { return children_[token - begin_]; }
    bool is_root(size_t token) const { return document_[token].head == token; }
    // The first child with one of these relations ("nsubj"); absent: none.
    std::optional<size_t> child(size_t token, std::initializer_list<std::string_view> relations) const;
    bool has_child(size_t token, std::initializer_list<std::string_view> relations) const {
        return child(token, relations).has_value();
    }
    // The token and all that depend on it, ascending, without marks at either end: parsers hang those where they will.
    std::vector<size_t> subtree(size_t token) const;
    // Whether `token` is `ancestor` or depends on it.
    bool is_within(size_t token, size_t ancestor) const;

    std::optional<size_t> subject(size_t verb) const;  // "nsubj", "nsubjpass", "expl"
    bool is_verb(size_t token) const;
    // The word of a verb's group that carries tense: its first auxiliary, or itself; absent in infinitives and participles.
    std::optional<size_t> finite_word(size_t verb) const;
    bool is_past(size_t verb) const;                    // by finite_word(); modal verbs are not
    GrammaticalNumber agreement(size_t verb) const;     // what its finite word asks of the subject
    GrammaticalNumber number(size_t noun) const;        // of a noun or pronoun with what is joined to it
    bool agrees(size_t verb, GrammaticalNumber) const;  // unknown agrees with all
    bool is_negated(size_t verb) const;

private:
    const EnglishDocument& document_;
    size_t begin_, end_;
    std::vector<std::vector<size_t>> children_;
};

// The sentences of an annotated text.
std::vector<ParsedSentence> parsed_sentences(const EnglishDocument& document);

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);

}  // namespace craft
