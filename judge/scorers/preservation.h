// How much of what a text must keep is still there in its revision (judge/fidelity/keyword_preservation.h), as a scorer:
// names, commands of LaTeX, or what a command of the user's finds (GLiNER).
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/process/json_command.h"
#include "judge/fidelity/keyword_preservation.h"
#include "judge/scorers/scorer.h"

namespace craft {

// The keywords of many texts, each once, in the texts' order.
using KeywordsOfTexts = std::function<std::vector<std::vector<std::string>>(const std::vector<std::string>&)>;

KeywordsOfTexts keywords_one_by_one(KeywordFinder find);
// {"id","text"} per line to the command, {"id","entities":[...]} back in the same order. A name that does not stand in its
// text, letter by letter, is an error, since nothing could keep it. Ids count on from call to call. Throws Error as `ask`
// does.
KeywordsOfTexts keywords_by_command(JsonAsker ask);

// The share of the keywords' occurrences that a revision keeps, 0-1; 1 where the text has none, since nothing is lost.
// The keywords of a text are looked for once.
class PreservationScorer : public Scorer {
public:
    PreservationScorer(std::string name, KeywordsOfTexts keywords)
        : name_(std::move(name)), keywords_(std::move(keywords)) {}

    // Throws Error as `keywords` does.
    std::vector<double> score(const std::vector<ScoredPair>& pairs) override;
    std::string name() const override { return name_; }

private:
    std::string name_;
    KeywordsOfTexts keywords_;
    std::unordered_map<std::string, std::vector<std::string>> known_;
};

}  // namespace craft
