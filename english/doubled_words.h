// Words that occur twice in a row in good English.
#pragma once

#include <cstddef>

#include "english/token.h"

namespace craft {

// Whether the word at `second`, which is the one before it once more, may be meant: "had had", "that that", "very very",
// names ("Duran Duran"), "What it is is ...", "come in in the morning". Needs a token before it; spaces are no tokens here.
bool may_stand_twice(const EnglishDocument& tokens, size_t second);

}  // namespace craft
