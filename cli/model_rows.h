// Rows that name a model's input: what `score` and `generate` read.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

// Calls add(row, where) for every row; one that it throws Error on is a bad line like one that does not parse. Throws Error
// if there is no row.
void for_each_model_row(const std::string& path, const JsonLinesOptions& lines,
                        const std::function<void(const Json& row, const std::string& where)>& add);
// The row's id, a string or a number. Throws Error if there is none.
Json id_field(const Json& row, const std::string& where);
// A list of at least one token id below the vocabulary's size. Throws Error otherwise.
std::vector<int64_t> ids_field(const Json& row, const std::string& name, int64_t vocabulary, const std::string& where);

}  // namespace craft
