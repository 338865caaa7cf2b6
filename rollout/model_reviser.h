// A model as the reviser: it is told the plan of each sentence (CRAFT App. E.7), or the instruction alone, or to revise as
// it sees fit.
#pragma once

#include <string>
#include <vector>

#include "rollout/conditions.h"
#include "rollout/reviser.h"
#include "systems/prompt_files.h"
#include "text/wording_table.h"

namespace craft {

struct ModelReviserOptions {
    SamplingOptions sampling = {.keep_histories = false, .stage = "revise"};
    int64_t attempts = 2;            // asked at most this many times for one revision
    double again_temperature = 0.7;  // of the second attempt on, where the first is greedy: it would give the same answer
    bool reason = false;             // without a plan: asked to reason first (chain of thought)
    SentenceRule sentences = SentenceRule::paper;
    Preserve preserve = {};  // the plan line of a sentence that holds such keywords asks to leave them as they are
};

// Where there is no plan, whether the text is the original decides between the prompts "direct" and "again"; without an
// instruction, too, the prompt is "free". A response without plan lines is unusable ("no_plan"), and so is what
// read_revision_reply() says, a cut answer ("cut"), one that failed (its failure_name()), and one that changes other
// sentences and none that the plan changes ("ignored_plan"). "touched_kept" notes that it changes some that the plan keeps,
// beside those.
class ModelReviser : public Reviser {
public:
    // The system must outlive the reviser. Throws Error on a prompt file that is missing or lacks a placeholder.
    ModelReviser(System& system, const PromptFiles& prompts, ModelReviserOptions options = {});

    std::vector<Revised> revise(const std::vector<RevisionRequest>& requests) override;
    std::string name() const override { return system_.name(); }
    // What the model is asked.
    std::string prompt(const RevisionRequest& request) const;

private:
    System& system_;
    ModelReviserOptions options_;
    std::string plan_, direct_, reason_, again_, free_;
    WordingTable replies_;
};

// The plan as the reviser reads it: a line for each sentence of `text`; for those that the plan does not name the wording
// "keep", and after the plan of those that hold some of the `preserved` the wording "preserve".
std::string whole_plan(const std::vector<PlanLine>& plan, const std::string& text, SentenceRule sentences,
                       const WordingTable& wordings, const std::vector<std::string>& preserved = {});

}  // namespace craft
