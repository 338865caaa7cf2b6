// What a judge is asked with that reports on one simplification (policy simplification App. A.4, Figures 11 to 13): the
// guideline with a task of its own after it, the guideline's worked reports as turns, then the source and the
// simplification.
#pragma once

#include <string>
#include <vector>

#include "data/conversation.h"
#include "judge/verdicts/guideline.h"
#include "judge/verdicts/listwise_prompt.h"
#include "systems/prompt_files.h"

namespace craft {

class ReportPrompt {
public:
    // Wordings are report.json. `aspect`: which of the guideline's is reported on, with the materials that it sees; "" of a
    // guideline without aspects. Throws Error on an aspect that the guideline does not have, on a missing wording, and what
    // the materials throw.
    ReportPrompt(const Guideline& guideline, std::string aspect, const PromptFiles& prompts,
                 JudgingMaterials materials = {});
    ListwiseQuestion question(const std::string& source, const std::string& candidate) const;

private:
    std::string render(const std::string& source, const std::string& candidate, NotedInQuestion& noted) const;

    WordingTable wordings_;
    ShownMaterials materials_;
    std::vector<Message> before_;
};

}  // namespace craft
