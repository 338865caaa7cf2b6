// What a judge of a list of candidates is asked with (policy simplification §2.2, App. A.2): the guideline, its worked
// examples as turns, then the source and the candidates.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "data/conversation.h"
#include "data/word_alignment.h"
#include "systems/prompt_files.h"
#include "text/wording_table.h"
#include "verdicts/guideline.h"

namespace craft {

// Who makes what a judge sees beside the texts. Both may be called by several threads at once; null: nobody makes it.
struct JudgingMaterials {
    // One alignment a pair {source, candidate}; one with a problem or without words is not shown.
    std::function<std::vector<WordAlignment>(const std::vector<std::pair<std::string, std::string>>&)> align;
    // A text's parse in brackets; "": none.
    std::function<std::string(const std::string&)> parse;
};

struct ListwiseQuestion {
    Conversation conversation;
    // What the question's texts had that looked like more than text (ShownText::noted), in how many of them; and
    // "without alignment", "without parse": for how many there was none, though somebody makes them.
    std::map<std::string, int64_t> noted;
};

class ListwisePrompt {
public:
    // Wordings are listwise.json. The materials of worked examples are made here. Throws Error on a missing wording, and
    // what the materials throw.
    ListwisePrompt(Guideline guideline, const PromptFiles& prompts, JudgingMaterials materials = {});
    // The guideline as the system's message, each example as a user's and an assistant's, then these candidates, numbered
    // from 0 as they stand here.
    ListwiseQuestion question(const std::string& source, const std::vector<std::string>& candidates) const;
    const Guideline& guideline() const { return guideline_; }
    // What aspects of the guideline are to see and nobody makes: "alignment", "parses".
    std::vector<std::string> lacking() const;

private:
    std::string render(const std::string& source, const std::vector<std::string>& candidates,
                       std::map<std::string, int64_t>& noted) const;
    std::string alignment_of(const WordAlignment& alignment, std::map<std::string, int64_t>& noted) const;
    std::string parse_of(const std::string& text, std::map<std::string, int64_t>& noted) const;

    Guideline guideline_;
    WordingTable wordings_;
    JudgingMaterials materials_;
    bool sees_alignment_ = false, sees_parses_ = false;
    std::vector<Message> before_;
};

}  // namespace craft
