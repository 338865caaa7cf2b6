// Marks by link-grammar alone: of a sentence that no parse takes in whole, the change of one word that makes it one.
#pragma once

#include <string>
#include <vector>

#include "tools/grammar/mark_rules.h"
#include "tools/grammar/parse_text.h"
#include "tools/grammar/sentence_parser.h"

namespace craft {

// Whether a parse of a changed sentence is better than, or no worse than, that of the sentence as it was.
bool is_better_parse(const ConstituentParse& changed, const ConstituentParse& before);
bool is_no_worse_parse(const ConstituentParse& changed, const ConstituentParse& before);

// The marks whose first suggestion makes the parse no worse. All of them where the sentence itself has no parse.
std::vector<ErrorMark> borne_out_by_parse(const std::vector<ErrorMark>& marks, const EnglishDocument& tokens,
                                          const ConstituentParse& parse, SentenceParser& parser);

// The best change of one word near those that the parse leaves out: left out itself, in another form, another function word
// in its place, or a function word before it. None where no change lets the sentence be parsed whole at a low cost.
std::vector<ErrorMark> marks_by_repair(const ParsedSentence& tree, const RuleKnowledge& know, const ConstituentParse& parse,
                                       const ParseText& text, SentenceParser& parser);

}  // namespace craft
