// Which prepositions go with which words, and what learners write in their place (share/gec/learner_prepositions.txt).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace craft {

// A word and a preposition that goes with it, and what learners write in its place, "-" for none.
struct LearnerPreposition {
    std::string word;  // of governed ones a lemma or a form, of phrases a noun
    std::string preposition;
    std::vector<std::string> written;
};

struct LearnerPrepositions {
    std::vector<LearnerPreposition> behind;  // a word that asks for it: "depend on"
    std::vector<LearnerPreposition> before;  // a noun that settles it: "on average"

    // Throws Error naming the line of another form.
    static LearnerPrepositions parse(std::string_view text, const std::string& where);
    // Read once. Throws Error as read_file() does, too.
    static const LearnerPrepositions& shipped();
};

}  // namespace craft
