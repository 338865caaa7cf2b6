// Training files: trajectory stores, or JSON Lines of conversations, completions or pairs.
#pragma once

#include <string>

#include "core/json.h"
#include "train/examples.h"

namespace craft {

// A store of trajectories, or rows of them, of {"messages"}, of {"prompt","completion"}, strings or message lists, or of
// {"text"}. Bad lines as JsonLinesOptions says; returns how many of them were skipped. Throws Error when the file cannot be
// read or a row is neither.
int64_t read_sft_examples(const std::string& path, const JsonLinesOptions& lines, ExampleBuilder& builder);
// Rows {"prompt","chosen","rejected"}; `chosen_only`: completions of the prompts, the rejected responses left out.
int64_t read_pair_examples(const std::string& path, const JsonLinesOptions& lines, bool chosen_only,
                           ExampleBuilder& builder);

}  // namespace craft
