// What is wrong with JSON, in our words.
#pragma once

#include <string>

namespace craft {

// Of the message of one of the JSON library's exceptions: "not JSON: column 5: expected a value, got '}'", with the line
// where there are several; "no key 'x'" and the like where a document was read and is not as expected.
std::string json_problem(const std::string& message);

}  // namespace craft
