// A correct English sentence, and ways to write a part of it otherwise.
#pragma once

#include <string>
#include <string_view>

#include "english/written_sentence.h"
#include "gec/learner/learner_error.h"

namespace craft {

class CorrectSentence : public WrittenSentence {
public:
    using WrittenSentence::WrittenSentence;

    // Whether a blank or the sentence's beginning stands before it and it is made of letters ("n't" of "don't" is no such
    // word, nor is "do", for what comes after it).
    bool is_whole_word(size_t token) const;
    // The first token of the sentence's last marks: of "He ran." it is 2.
    size_t final_marks() const;
    // The first and the last token of what depends on it, marks at the ends left out.
    size_t phrase_begin(size_t token) const { return subtree(token).front(); }
    size_t phrase_end(size_t token) const { return subtree(token).back(); }

    // Errors. A capital at the sentence's beginning stays there. Each concerns its tokens and their neighbours.
    LearnerError instead_of(size_t token, std::string written) const { return instead_of(token, token, std::move(written)); }
    LearnerError instead_of(size_t first, size_t last, std::string written) const;
    LearnerError without(size_t token) const;
    // With a blank after it.
    LearnerError put_in_before(size_t token, std::string_view word) const;
    // Of a mark, which stands at the end of the token before without a blank.
    LearnerError put_in_after(size_t token, std::string_view mark) const;

private:
    LearnerError error(TextReplacement change, size_t first, size_t last) const;
};

}  // namespace craft
