// Sets of instructions, each a stage: made of texts, or taken from the sealed test set.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "align/environment.h"
#include "data/constraints/generator.h"

namespace craft {

// The instructions of a set, from its stage, or made and stored there.
std::vector<Instruction> instructions_stage(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                            const GeneratorOptions& options, const std::filesystem::path& folder,
                                            std::map<std::string, int64_t>* dropped = nullptr);

// An evaluation's instructions: balanced over the shapes and the same for every seed, so that seeds can be compared. Their
// stage is `folder`/instructions/`name`. Warns where the texts give fewer than `count`.
std::vector<Instruction> evaluation_set(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                        const std::string& name, const std::vector<int>& domains, int64_t count, Split split,
                                        const std::filesystem::path& folder, int64_t per_text = 1);

// `count` instructions of the sealed test set (data/constraints/sealed_sets.h), from their stage `folder`, or made and
// stored there: of each domain those with the shortest texts, which are read fastest, in the order of the set. Warns where
// there are fewer.
std::vector<Instruction> sealed_test_set(RevisionEnvironment& environment, int64_t count,
                                         const std::filesystem::path& folder);

}  // namespace craft
