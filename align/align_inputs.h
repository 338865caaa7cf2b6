// What rounds of self-training are given: texts, and the sets that choose a round and that are reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "align/align.h"

namespace craft {

struct AlignInputOptions {
    std::string texts, revisions;        // of the texts, from which values are read; empty: none
    std::filesystem::path instructions;  // ready ones, with gold, in place of texts
    std::filesystem::path dev,
        selection;  // instruction files; empty: made from texts, or of ready instructions, that are held out
    int64_t dev_count = 300, selection_count = 120;
};

// What the files hold; nothing is made yet. A ready instruction whose gold contradicts its text or its words
// (gold_problem()) is a bad line; those that are for evaluation only are left out, and counted in `dropped`. Throws Error as
// the readers do, and where no ready instruction is left; UsageError on an instruction in two of the sets.
AlignInputs read_align_inputs(const AlignInputOptions& options, const JsonLinesOptions& lines, SentenceRule sentences,
                              std::map<std::string, int64_t>& dropped);
// Makes the sets that no file gives, in `folder`, from texts held out for them, or takes them from the ready instructions,
// whose other texts remain. Throws Error where there are too few.
void make_evaluation_sets(AlignInputs& inputs, const AlignInputOptions& options, RevisionEnvironment& environment,
                          const InstructionAuthors& authors, const std::filesystem::path& folder);

}  // namespace craft
