// Instructions in a model's words (CRAFT App. C.2), as many of them as still ask for what they asked for.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "data/constraints/rewriting.h"
#include "systems/prompt_files.h"
#include "systems/system.h"
#include "systems/usable_answers.h"

namespace craft {

struct RewriterOptions {
    SamplingOptions sampling = {.temperature = 0.7, .keep_histories = false, .stage = "rewrite"};
    SentenceRule sentences = SentenceRule::paper;  // that constraints count by
};

class InstructionRewriter {
public:
    // The system must outlive the rewriter. Throws Error on a prompt file that is missing or lacks a placeholder.
    InstructionRewriter(System& system, const PromptFiles& prompts, RewriterOptions options = {});
    // Asks once. An answer that failed is refused by its failure's name, one that was cut as "cut". `item` keys the random
    // stream. May be called by several threads at once if the system may. Throws Error where that cannot answer at all.
    RewrittenInstruction rewrite(const Instruction& instruction, uint64_t item) const;

private:
    System& system_;
    RewriterOptions options_;
    std::string prompt_;
    WordingTable replies_;
    ReadingVocabulary vocabulary_;
};

// How many were taken, and why the others were not.
struct RewritingReport {
    int64_t taken = 0;
    std::map<std::string, int64_t> refused;  // by reason
    std::map<std::string, int64_t> noted;    // what was taken off answers, by kind
    void add(const RewrittenInstruction& rewritten);
    UsableAnswers answers() const;  // those that were taken, and why the others were not
};
Json to_json(const RewritingReport& report);  // {"taken","refused","noted"}

}  // namespace craft
