// A system that is asked to simplify by a policy's prompt.
#pragma once

#include "simplify/policy.h"
#include "simplify/simplification_asking.h"

namespace craft {

struct ModelSimplifierOptions {
    size_t shots = 0;  // worked examples before the text
    // Greedy (policy simplification §4.3). A sentence's tokens, thrice and more.
    SamplingOptions sampling = {.keep_histories = false, .stage = "simplify"};
};

class ModelSimplifier : public TextSimplifier {
public:
    // `name` is what stands in candidates. `system` must outlive it. Throws Error as PolicyPrompt and
    // WordingTable::load() do, and on more examples than there are.
    ModelSimplifier(std::string name, System& system, const PromptFiles& prompts, SimplificationPolicy policy,
                    const ModelSimplifierOptions& options);
    std::string name() const override { return name_; }
    Simplification simplify(const SimplificationTask& task) const override;

private:
    std::string name_;
    SimplificationAsking asking_;
    PolicyPrompt prompt_;
    size_t shots_;
};

}  // namespace craft
