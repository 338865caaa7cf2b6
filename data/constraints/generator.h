// Makes constrained instructions whose satisfaction is proven on a revision (CRAFT §3; docs/constraints.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/constraints/mix.h"
#include "data/constraints/wordings.h"
#include "data/instruction.h"
#include "text/sentences.h"

namespace craft {

struct SourceText {
    std::string id;
    std::string text;
    std::string revision;  // given with --revisions; empty: one is written by the reviser
};

struct GeneratorOptions {
    std::vector<int> domains = {0, 1, 2, 3};  // C0-C4, taken in turn
    int64_t count = 1000;                     // instructions
    int64_t per_text = 1;                     // instructions of a text, one after the other
    bool every_text = false;                  // instead of `count`: each text once in each domain, in their order
    uint64_t seed = 0;
    std::string stage = "constraints";  // keys the random streams together with the seed
    Split split = Split::all;           // wordings and values
    std::vector<double> mix = {};       // shares of the eight sub-types, in SubType order, up to a factor; empty: equal
    SentenceRule sentences = SentenceRule::paper;
};

struct GeneratorReport {
    std::map<std::string, int64_t> shapes;   // constraints made, by shape
    std::map<std::string, int64_t> redrawn;  // draws given up and repeated, by reason; "rests: SHAPE": how often it rested
    std::map<std::string, int64_t> dropped;  // instructions that could not be made, by reason
    int64_t constraints = 0;
    int64_t violable = 0;                     // constraints that ask for a change (not keep sentence, not keyword keep)
    int64_t violated_unrevised = 0;           // of those, how many the unrevised text does not meet
    std::map<std::string, int64_t> violated;  // the same by shape
    double seconds = 0;
    double violated_share() const {
        return violable == 0 ? 0 : static_cast<double>(violated_unrevised) / static_cast<double>(violable);
    }
};

// Writes a revised version of a text; empty if it cannot.
using FreeReviser = std::function<std::string(const std::string& text, Rng& rng)>;

// An instruction and the revision that was proven to meet all its constraints (empty where there are none). Of "only change"
// it has no other sentence changed.
using EmitInstruction = std::function<void(Instruction&&, const std::string& revision)>;

// Streams `options.count` instructions, in order, to `emit`. Sub-types follow the mix, and the shapes of a sub-type take
// turns. Texts are used in shuffled rounds. Where a text does not allow the shapes, or already meets them unrevised, another
// text is taken (with `every_text`, the same text is tried again). Where no text allows a shape, a later instruction gets it
// and this one gets another; after a few refusals in a row the shape rests for a while (data/constraints/shape_plan.h). An
// instruction that no text allows is dropped, counted, and left out of the mix. Instructions depend on (seed, stage, their
// number) and the texts, not on the count. Throws Error if there are no texts, a domain is not in 0-4, or there is a
// mix_problem.
GeneratorReport generate_instructions(const std::vector<SourceText>& texts, const FreeReviser& revise,
                                      const Wordings& wordings, const GeneratorOptions& options,
                                      const EmitInstruction& emit);

}  // namespace craft
