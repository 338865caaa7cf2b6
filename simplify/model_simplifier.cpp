#include "simplify/model_simplifier.h"

namespace craft {

ModelSimplifier::ModelSimplifier(std::string name, System& system, const PromptFiles& prompts, SimplificationPolicy policy,
                                 const ModelSimplifierOptions& options)
    : name_(std::move(name)),
      asking_(system, prompts, options.sampling, form_of(policy)),
      prompt_(prompts, policy),
      shots_(options.shots) {
    prompt_.ask("", shots_);  // more examples than there are: told now and not within the work
}

Simplification ModelSimplifier::simplify(const SimplificationTask& task) const {
    return asking_.ask(prompt_.ask(task.text, shots_), task.text, task.item, 0);
}

}  // namespace craft
