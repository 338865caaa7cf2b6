// A sentence's parse as rules read it: who depends on whom, and what verbs and nouns are like.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "english/token.h"

namespace craft {

enum class GrammaticalNumber { unknown, singular, plural };

// Tokens are meant by their places in the document.
class ParsedSentence {
public:
    // The tokens [begin, end) of an annotated text, which must outlive it.
    ParsedSentence(const EnglishDocument& document, size_t begin, size_t end);
    // All tokens of an annotated text, which it keeps.
    explicit ParsedSentence(EnglishDocument document);

    const EnglishDocument& tokens() const { return *document_; }
    size_t begin() const { return begin_; }
    size_t end() const { return end_; }
    size_t size() const { return end_ - begin_; }
    const EnglishToken& operator[](size_t token) const { return (*document_)[token]; }
    // Of any place, also outside of the sentence, where they are "" (a `size_t` below 0 wraps around).
    std::string_view lower(size_t token) const { return has(token) ? std::string_view((*this)[token].lower) : ""; }
    std::string_view tag(size_t token) const { return has(token) ? std::string_view((*this)[token].tag) : ""; }
    std::string_view dep(size_t token) const { return has(token) ? std::string_view((*this)[token].dep) : ""; }
    // Whether there is such a token and it is one of these words, in small letters; likewise of its lemma, tag and relation.
    bool is_lower(size_t token, std::initializer_list<std::string_view> words) const;
    bool is_lemma(size_t token, std::initializer_list<std::string_view> lemmas) const;
    bool is_tag(size_t token, std::initializer_list<std::string_view> tags) const;
    bool is_dep(size_t token, std::initializer_list<std::string_view> deps) const;
    // The tokens from `token` to the next blank, as they were written: "\"one-off\"".
    std::string written_from(size_t token) const;
    // The next token from `token` on that is neither an adverb nor a negation; end() where there is none.
    size_t after_adverbs(size_t token) const;

    // Those that depend on a token, left to right.
    const std::vector<size_t>& children(size_t token) const { return children_[token - begin_]; }
    bool is_root(size_t token) const { return (*this)[token].head == token; }
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
    GrammaticalNumber number(size_t noun) const;        // of a noun or pronoun with what is joined to it, by its form
    bool agrees(size_t verb, GrammaticalNumber) const;  // unknown agrees with all
    bool is_negated(size_t verb) const;

private:
    explicit ParsedSentence(const std::shared_ptr<const EnglishDocument>& document);
    ParsedSentence(std::shared_ptr<const EnglishDocument> document, size_t begin, size_t end);
    bool has(size_t token) const { return token >= begin_ && token < end_; }

    std::shared_ptr<const EnglishDocument> document_;
    size_t begin_, end_;
    std::vector<std::vector<size_t>> children_;
};

// The sentences of an annotated text.
std::vector<ParsedSentence> parsed_sentences(const EnglishDocument& document);

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);
bool is_one_of(std::string_view word, std::span<const std::string_view> words);

}  // namespace craft
