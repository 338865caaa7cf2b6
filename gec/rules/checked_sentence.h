// A sentence as rules of correction read it, tokens with their parse, and the changes of it that keep its own way of
// writing: its blanks, also those of tokenised texts ("do n't"), the capital at its beginning and that of a word.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "english/parsed_sentence.h"
#include "english/token.h"
#include "text/text_replacement.h"

namespace craft {

class CheckedSentence {
public:
    // `document` is what the English pipeline says of `text`.
    CheckedSentence(std::string text, const EnglishDocument& document);
    CheckedSentence(const CheckedSentence&) = delete;
    CheckedSentence& operator=(const CheckedSentence&) = delete;

    const std::string& text() const { return text_; }
    const EnglishDocument& tokens() const { return tokens_; }  // but for white space
    size_t size() const { return tokens_.size(); }
    const EnglishToken& operator[](size_t token) const { return tokens_[token]; }
    std::string_view lower(size_t token) const;  // in small letters; empty behind the last token
    std::string_view tag(size_t token) const;    // likewise
    const ParsedSentence& parse() const { return parse_; }
    bool is_word(size_t token) const;                 // of letters, with hyphens and apostrophes
    bool has_capital(size_t token) const;             // at its beginning
    bool is_glued(size_t token) const;                // no blank before it: "n't", "'s", a comma
    bool is_tokenised() const { return tokenised_; }  // a blank stands before marks or "n't"
    // Words [first, last) in small letters, apart by blanks, as word lists have them.
    std::string phrase(size_t first, size_t last) const;

    size_t begin_of(size_t token) const { return tokens_[token].byte; }
    size_t end_of(size_t token) const { return tokens_[token].byte + tokens_[token].text.size(); }

    // Tokens [first, last) give way to `words`, which get a capital if the first token has one.
    TextReplacement replaced(size_t first, size_t last, const std::string& words) const;
    TextReplacement replaced(size_t token, const std::string& word) const { return replaced(token, token + 1, word); }
    // Needs a token. Before the first one the sentence's capital moves, but stays on "I" and names.
    TextReplacement inserted_before(size_t token, const std::string& words) const;
    TextReplacement inserted_after(size_t token, const std::string& words) const;  // a blank before
    TextReplacement mark_after(size_t token, const std::string& mark) const;       // as the sentence sets marks
    TextReplacement removed(size_t first, size_t last) const;                      // with the blank on one side

private:
    std::string text_;
    EnglishDocument tokens_;  // without white space, heads renumbered
    ParsedSentence parse_;
    bool tokenised_ = false;
};

// The sentence's subject and what else rules of verbs ask.
// The subject of a verb, or of the one that it stands with as an auxiliary; of a relative clause the noun that it describes.
std::optional<size_t> subject_of(const CheckedSentence& sentence, size_t verb);
GrammaticalNumber subject_number(const CheckedSentence& sentence, size_t verb);

}  // namespace craft
