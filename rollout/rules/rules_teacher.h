// The built-in teacher: thought, gold calls and a plan for every sentence, by looking at the text (CRAFT §5.1.1).
#pragma once

#include <memory>

#include "core/rng.h"
#include "data/trajectory.h"
#include "rollout/rules/plan_actions.h"
#include "rollout/rules/rules.h"
#include "text/sentences.h"
#include "text/wording_table.h"

namespace craft {

struct TeacherOptions {
    // The paper's form is a plan line for each sentence, with the whole of it.
    int64_t plan_lines = 0;   // the first this many sentences that are to change have a line; 0: every sentence has one
    int64_t quote_words = 0;  // of a sentence that its plan line quotes, then "..."; 0: all
    uint64_t seed = 0;
    SentenceRule sentences = SentenceRule::paper;
};

// Reads the instruction's gold calls and the last revision. Deterministic in both, the seed, item and sample. Every sentence
// that the rules reviser changes, asked with the response and the same item, has a plan line, and few others have one
// (unless options ask for other lines).
class RulesTeacher {
public:
    RulesTeacher(std::shared_ptr<const Rules> rules, WordingTable wordings, TeacherOptions options = {})
        : rules_(std::move(rules)), wordings_(std::move(wordings)), options_(options) {}
    // The response for the next step of a trajectory.
    PlannerResponse respond(const Trajectory& trajectory, uint64_t item, uint64_t sample) const;

private:
    std::string thought(const Trajectory& trajectory, const std::string& text, Rng& rng) const;
    std::vector<PlanLine> plan(const Trajectory& trajectory, const std::string& text, uint64_t item, Rng& rng) const;
    std::vector<PlanAction> actions(const std::vector<ToolCall>& calls, const std::string& original, const std::string& text,
                                    uint64_t item, const Rng& rng) const;
    std::vector<PlanLine> lines(const std::vector<std::string>& sentences, const std::vector<PlanAction>& actions,
                                Rng& rng) const;

    std::shared_ptr<const Rules> rules_;
    WordingTable wordings_;
    TeacherOptions options_;
};

// Names a call in words with digits: "words: less than 90", "keep sentence 3". Where the phrase that asks for it names the
// bound beside the call's own, both: "words: at most 89 = less than 90". Empty for calls that set no goal.
std::string describe_call(const ToolCall& call, const std::string& phrase, const WordingTable& wordings, Rng& rng);

}  // namespace craft
