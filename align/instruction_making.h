// Instructions made of texts, by whoever is configured: values are read from revisions, which a model may write (CRAFT §3),
// and a model may put the wordings of templates into others (App. C.2).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "align/instruction_rewriter.h"
#include "core/flow.h"
#include "data/constraints/generator.h"
#include "rollout/reviser.h"
#include "systems/usable_answers.h"

namespace craft {

struct InstructionAuthors {
    Reviser* reviser =
        nullptr;  // writes, without an instruction, the revisions that values are read from; null: the rules do
    const InstructionRewriter* rewriter = nullptr;  // null: wordings stay as the templates give them
    Flow* flow = nullptr;                           // for whose items both are; needed where one of them is given
};

// What came of asking a reviser for revisions of texts.
struct FreeRevisionReport {
    int64_t revised = 0;
    std::map<std::string, int64_t> unusable;  // texts that were left out, by reason; "unchanged" is one
    Leniency noted;
    void add(const Revised& revised);
    UsableAnswers answers() const;
};
Json to_json(const FreeRevisionReport& report);  // {"revised","unusable","noted"}

struct InstructionMakingReport {
    GeneratorReport generated;
    std::optional<FreeRevisionReport> revisions;  // absent: nobody was asked for any
    std::optional<RewritingReport> rewriting;     // likewise
    // "free revision: cut", "rewriting: taken", ...
    std::map<std::string, int64_t> counted() const;
};

// As generate_instructions(), of which `rules` is the reviser where `authors` have none. A model is asked for revisions of
// as many texts as there will be instructions of different ones, drawn by seed and stage; a text whose revision cannot be
// used is left out. Instructions that are rewritten are emitted when all answers are there. Throws Error where no revision
// can be used, and AwaitedAnswer where answers are in a batch file, once all that can be asked has been asked.
InstructionMakingReport make_instructions(const std::vector<SourceText>& texts, const FreeReviser& rules,
                                          const Wordings& wordings, const GeneratorOptions& options,
                                          const InstructionAuthors& authors, const EmitInstruction& emit);

}  // namespace craft
