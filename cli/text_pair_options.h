// --items, --outputs and --output of evaluations that hold revisions against their texts.
#pragma once

#include <cstdint>
#include <string>

#include "core/json.h"
#include "core/options.h"
#include "judge/fidelity/text_pairs.h"

namespace craft {

struct TextPairOptions {
    std::string items, outputs;
    std::string output = "-";
    JsonLinesOptions lines;
};

void bind_text_pairs(OptionTable& table, TextPairOptions& options);
// Bad lines of both files that are skipped are counted in `bad_lines`; empty revisions are warned of. Throws Error as
// read_revised_texts() and pair_texts() do.
TextPairs read_text_pairs(const TextPairOptions& options, int64_t& bad_lines);

}  // namespace craft
