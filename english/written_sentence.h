// A sentence with its parse, and the changes of it that keep its own way of writing: its blanks, also those of tokenised
// texts ("do n't"), the capital at its beginning and that of a word.
#pragma once

#include <string>
#include <string_view>

#include "english/parsed_sentence.h"
#include "english/token.h"
#include "text/text_replacement.h"

namespace craft {

class WrittenSentence : public ParsedSentence {
public:
    // `document` is what the English pipeline says of `text`; tokens are meant by their places among those that are no white
    // space.
    WrittenSentence(std::string text, const EnglishDocument& document);
    WrittenSentence(const WrittenSentence&) = delete;
    WrittenSentence& operator=(const WrittenSentence&) = delete;

    const std::string& text() const { return text_; }
    bool is_word(size_t token) const;                 // of letters, with hyphens and apostrophes
    bool has_capital(size_t token) const;             // at its beginning
    bool is_glued(size_t token) const;                // no blank before it: "n't", "'s", a comma
    bool is_tokenised() const { return tokenised_; }  // a blank stands before marks or "n't"
    // Words [first, last) in small letters, apart by blanks, as word lists have them.
    std::string phrase(size_t first, size_t last) const;

    // In bytes of the text.
    size_t begin_of(size_t token) const { return (*this)[token].byte; }
    size_t end_of(size_t token) const { return (*this)[token].byte + (*this)[token].text.size(); }

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
    bool tokenised_ = false;
};

}  // namespace craft
