// Sets of instructions, each a stage: made of texts, or taken from the sealed test set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "align/environment.h"
#include "align/instruction_making.h"
#include "data/constraints/generator.h"

namespace craft {

// A set, and what was counted while it was made.
struct InstructionSet {
    std::vector<Instruction> instructions;
    std::map<std::string, int64_t> dropped, counted;  // not made, by reason; InstructionMakingReport::counted()
};
// The instructions of a set, from its stage, or made and stored there. Throws Error where none can be made, or a rewriter is
// among the authors and none of its wordings could be taken.
InstructionSet instructions_stage(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                  const GeneratorOptions& options, const std::filesystem::path& folder,
                                  const InstructionAuthors& authors = {});
// A round's share of instructions that are ready, `count` of them, from their stage, or drawn and stored there: rounds take
// others until all have been taken, then all over again, in another order.
InstructionSet ready_instructions_stage(const std::vector<Instruction>& ready, int64_t count, int64_t round, uint64_t seed,
                                        const std::filesystem::path& folder);

// An evaluation's instructions: balanced over the shapes and the same for every seed, so that seeds can be compared. Their
// stage is `folder`/instructions/`name`. Warns where the texts give fewer than `count`.
std::vector<Instruction> evaluation_set(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                        const std::string& name, const std::vector<int>& domains, int64_t count, Split split,
                                        const std::filesystem::path& folder, int64_t per_text = 1,
                                        const InstructionAuthors& authors = {});

// `count` instructions of the sealed test set (data/constraints/sealed_sets.h), from their stage `folder`, or made and
// stored there: of each domain those with the shortest texts, which are read fastest, in the order of the set. Warns where
// there are fewer.
std::vector<Instruction> sealed_test_set(RevisionEnvironment& environment, int64_t count,
                                         const std::filesystem::path& folder);

}  // namespace craft
