// What the JSON library says is wrong with a text, without its own prefix.
#pragma once

#include <string>

namespace craft {

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error ..." as "not JSON: column 5: syntax error
// ...", shortened.
std::string json_problem(const std::string& message);

}  // namespace craft
