// Words that are written twice.
#include "gec/learner/error_kinds.h"

namespace craft {

LearnerErrors doubled_word_errors(const CorrectSentence& sentence, const LearnerLanguage&) {
    LearnerErrors found;
    for (size_t i = 1; i + 1 < sentence.size(); ++i) {
        if (!sentence.is_whole_word(i) || sentence[i].text != sentence[i].lower || sentence[i + 1].pos == "PUNCT") continue;
        if (listed_words("undoubled_words").contains(sentence[i].lower))
            found.push_back(sentence.put_in_before(i, sentence[i].text));
    }
    return found;
}

}  // namespace craft
