// What one round of judged feedback and self-correction did to a text (policy simplification App. A.4).
#pragma once

#include <string>

#include "data/reply_text.h"

namespace craft {

struct CorrectionRound {
    std::string report;     // what the judge said of the text so far; empty: nothing
    std::string no_report;  // why: "empty", "thinking", Reply::problem()
    std::string thinking;   // what the judge's thinking was, where it came apart
    std::string answer;     // what the model made of it; empty: nothing, or it was not asked
    std::string no_answer;  // why: as Simplification::failure, or "echo" (the question came back, which `answer` is then);
                            // empty where it was not asked
    Leniency noted;         // as Simplification::noted, of the answer
    // The answer held against the text before it: "better", "worse", or "" for this reason: "equal" (it is the same text),
    // "tie", "flipped", a failure's name, or why no answer could be read. Both are empty without an answer.
    std::string verdict, no_verdict;
    std::string judgement;  // what the judge said with that, in the last answer to it; empty: nobody was asked
    std::string text;       // as it comes after this round
    bool operator==(const CorrectionRound&) const = default;
};

}  // namespace craft
