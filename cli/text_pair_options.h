// --items, --outputs and --output of evaluations that hold revisions against their texts.
#pragma once

#include <string>

#include "core/json.h"
#include "core/options.h"
#include "fidelity/text_pairs.h"

namespace craft {

struct TextPairOptions {
    std::string items, outputs;
    std::string output = "-";
    JsonLinesOptions lines;
};

void bind_text_pairs(OptionTable& table, TextPairOptions& options);
void check_text_pairs(OptionTable& table);
// Throws Error as read_revised_texts() and pair_texts() do.
TextPairs read_text_pairs(const TextPairOptions& options);

}  // namespace craft
