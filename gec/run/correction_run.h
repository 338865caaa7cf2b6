// One run of `gec`: texts corrected sentence by sentence, and what that is worth beside references.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/run_folder.h"
#include "gec/run/corrector.h"

namespace craft {

enum class GecFormat { jsonl, text, m2 };

struct CorrectionRunOptions {
    GecOptions gec;
    bool whole = false;  // a text is not cut into sentences
    GecFormat format = GecFormat::jsonl;
    std::vector<std::string> references;  // files of corrected texts by others, a line for each text; none: no scores
};

// A stopped run of the same identity continues. Where answers stand in batch files it says so and writes nothing. Throws
// Error and UsageError as the corrector and the readers do, and where no answer can be used.
void correct_texts(const CorrectionRunOptions& options, const PlacementOptions& placing, uint64_t seed,
                   const RunIdentity& identity, bool overwrite);

}  // namespace craft
