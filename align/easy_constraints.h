// Constraints that no program can check, of style and of content, written by a model for a text (CRAFT App. B.1).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "data/constraints/rewriting.h"
#include "judge/verdicts/easy_items.h"
#include "systems/prompt_files.h"
#include "systems/system.h"

namespace craft {

// The constraint in a model's answer, or why there is none: "empty", "asks back", "goes on" (several lines), "too long"
// (over 40 words), "countable" (of a number of words or sentences, which a program checks). `replies` is
// share/prompts/easy_constraint_replies.json. Never throws on any bytes.
RewrittenInstruction read_easy_constraint(std::string_view reply, const WordingTable& replies);

class EasyConstraintWriter {
public:
    // The system must outlive the writer. Throws Error on a prompt that is missing or lacks {text}.
    EasyConstraintWriter(System& system, const PromptFiles& prompts, SamplingOptions sampling);
    // Asks once; an answer that failed or was cut is refused by that. `sample` tells several constraints of one text apart.
    // May be called by several threads at once if the system may. Throws Error where that cannot answer at all.
    RewrittenInstruction write(EasyKind kind, const std::string& text, uint64_t sample) const;
    // What a reviser is asked to do so that the constraint is met.
    std::string instruction(const std::string& constraint) const;

private:
    System& system_;
    SamplingOptions sampling_;
    std::map<EasyKind, std::string> prompts_;
    WordingTable replies_;
};

}  // namespace craft
