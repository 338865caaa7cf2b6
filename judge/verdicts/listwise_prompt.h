// What a judge of a list of candidates is asked with (policy simplification §2.2, App. A.2): the guideline, its worked
// examples as turns, then the source and the candidates.
#pragma once

#include <string>
#include <vector>

#include "data/candidates.h"
#include "data/conversation.h"
#include "judge/verdicts/guideline.h"
#include "judge/verdicts/shown_materials.h"
#include "systems/prompt_files.h"

namespace craft {

struct ListwiseQuestion {
    Conversation conversation;
    // What the question's texts had that looked like more than text (ShownText::noted, of responses without their headings),
    // in how many of them; and "without alignment", "without parse": for how many there was none, though somebody makes
    // them.
    NotedInQuestion noted;
};

// Throws Error naming the group, and the candidate, where it lacks an instruction or a response that the guideline shows.
void require_shown(const Guideline& guideline, const CandidateGroup& group);

class ListwisePrompt {
public:
    // Wordings are listwise.json. The materials of worked examples are made here. Throws Error on a missing wording, and
    // what the materials throw.
    ListwisePrompt(Guideline guideline, const PromptFiles& prompts, JudgingMaterials materials = {});
    // The guideline as the system's message, each example as a user's and an assistant's, then the candidates of `order`,
    // numbered from 0 as they stand there, with what the guideline shows beside them. Throws Error as require_shown().
    ListwiseQuestion question(const CandidateGroup& group, const std::vector<size_t>& order) const;
    const Guideline& guideline() const { return guideline_; }
    // What aspects of the guideline are to see and nobody makes: "alignment", "parses".
    std::vector<std::string> lacking() const { return materials_.lacking(); }

private:
    ShownCandidates shown_of(const CandidateGroup& group, const std::vector<size_t>& order) const;
    std::string render(const ShownCandidates& shown, NotedInQuestion& noted) const;

    Guideline guideline_;
    WordingTable wordings_;
    ShownMaterials materials_;
    std::vector<Message> before_;
};

}  // namespace craft
