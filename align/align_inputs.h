// What rounds of self-training are given: texts, and the sets that choose a round and that are reported.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "align/align.h"

namespace craft {

struct AlignInputOptions {
    std::string texts;
    std::filesystem::path dev, selection;  // instruction files; empty: made from texts that are held out
    int64_t dev_count = 300, selection_count = 120;
};

// What the files hold; nothing is made yet. Throws Error as the readers do, UsageError on an instruction in both sets.
AlignInputs read_align_inputs(const AlignInputOptions& options, const JsonLinesOptions& lines);
// Makes the sets that no file gives, in `folder`, from texts held out for them. Throws Error where there are too few.
void make_evaluation_sets(AlignInputs& inputs, const AlignInputOptions& options, RevisionEnvironment& environment,
                          const std::filesystem::path& folder);

}  // namespace craft
