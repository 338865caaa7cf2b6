// The sealed evaluation sets: texts, wordings and values that serve nothing else (docs/shipped.md). No prompt, option or
// default is chosen by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/constraints/generator.h"

namespace craft {

struct SealedSet {
    std::string name;  // its texts are share/texts/NAME.jsonl
    std::vector<int> domains;
    int64_t instructions;
};

const SealedSet& test_set();                         // 60 each of C0 to C4: evaluated once, at the end of a run
const SealedSet& search_set();                       // 200 of C1 to C3: for comparing methods of revision
const std::vector<const SealedSet*>& sealed_sets();  // both

// Streams the first `count` instructions of the set, their domains in turn, all 19 shapes equally often, to `emit`: the same
// ones in every run, whatever its seed. Throws Error where the files of share/ cannot be read or `count` is more than there
// are.
GeneratorReport make_sealed_set(const SealedSet& set, int64_t count, SentenceRule sentences, const FreeReviser& revise,
                                const EmitInstruction& emit);

}  // namespace craft
