// Rows that name a model's input: what `score` and `generate` read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

// The row's id, a string or a number. Throws Error if there is none.
Json id_field(const Json& row, const std::string& where);
// Throws Error naming `where` if a token id is none of the model's: a tokenizer may know more than its model has rows for.
void check_ids(const std::vector<int64_t>& ids, int64_t vocabulary, const std::string& where);
// A list of at least one token id below the vocabulary's size. Throws Error otherwise.
std::vector<int64_t> ids_field(const Json& row, const std::string& name, int64_t vocabulary, const std::string& where);

}  // namespace craft
