// Rows that name a model's input: what `score`, `embed` and `generate` read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"
#include "model/encoder/encoder.h"
#include "systems/asked_rows.h"

namespace craft {

// The row's id, a string or a number. Throws Error if there is none.
Json id_field(const Json& row, const std::string& where);

// The ids under `name`, with the row's attention_mask and token_type_ids where it has them. Throws Error otherwise; what
// they hold, check_row says.
EncoderRow encoder_row_field(const Json& row, const std::string& name, int64_t vocabulary, const std::string& where);

// Items of these sizes in batches, each of at most `batch_tokens` tokens or one item: the same ones wherever a run resumes,
// and however many ranks it has.
std::vector<std::vector<size_t>> groups_by_tokens(const std::vector<int64_t>& sizes, int64_t batch_tokens);

}  // namespace craft
