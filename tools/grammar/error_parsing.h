// Errors of a sentence by all evidence: rules on its tags and heads, spelling, and what link-grammar makes of it
// (GEC-Agent §3.2; the role of its GOPar).
#pragma once

#include <string>
#include <vector>

#include "tools/grammar/mark_rules.h"
#include "tools/grammar/sentence_parser.h"
#include "tools/grammar/spelling.h"

namespace craft {

struct ErrorReport {
    std::vector<ErrorMark> marks;       // left to right
    std::vector<std::string> left_out;  // words that link-grammar's best parse leaves out
    double cost = 0;                    // of that parse
    std::string parse_problem;          // why it is missing ("time", "worker", "too long" ...); empty: it is there
    bool is_english = true;             // else nothing is marked
};

// `parse` is what the parser says of the sentence as parse_text() (parse_repairs.h) writes it. Without `repairs` no changes
// are tried where it leaves words out, so that nothing is marked for its parse alone: that takes most of the time, and is
// right too seldom for those who follow every mark.
ErrorReport find_errors(const ParsedSentence& tree, const SpellingReport& spelling, const ConstituentParse& parse,
                        const RuleKnowledge& know, SentenceParser& parser, bool repairs = true);

}  // namespace craft
