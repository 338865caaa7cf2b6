// What a judge of a list of candidates is asked with (policy simplification §2.2, App. A.2): the guideline, its worked
// examples as turns, then the source and the candidates.
#pragma once

#include <string>
#include <vector>

#include "data/conversation.h"
#include "judge/verdicts/guideline.h"
#include "judge/verdicts/shown_materials.h"
#include "systems/prompt_files.h"

namespace craft {

struct ListwiseQuestion {
    Conversation conversation;
    // What the question's texts had that looked like more than text (ShownText::noted), in how many of them; and
    // "without alignment", "without parse": for how many there was none, though somebody makes them.
    NotedInQuestion noted;
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
    std::vector<std::string> lacking() const { return materials_.lacking(); }

private:
    std::string render(const std::string& source, const std::vector<std::string>& candidates, NotedInQuestion& noted) const;

    Guideline guideline_;
    WordingTable wordings_;
    ShownMaterials materials_;
    std::vector<Message> before_;
};

}  // namespace craft
