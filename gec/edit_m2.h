// Edits as a sentence of an M2 file: what `eval m2` and `eval errant` take as a hypothesis.
#pragma once

#include <string>

#include "metrics/edits/m2_file.h"

namespace craft {

// Tokens are what is between white space. Types say the operation alone: M:OTHER (insert), U:OTHER (delete), R:OTHER
// (transform), R:WO (rearrange); of equal texts a `noop`. Those of ERRANT are what `eval edits` writes.
M2Sentence m2_of(const std::string& source, const std::string& target);

}  // namespace craft
