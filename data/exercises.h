// General reading and writing exercises over plain texts, from which a small base model is trained: language modelling,
// copying, quoting, ordinals, numbers, function calls. None of them shows an instruction with constraints, a checking tool
// or a revision plan: those are what fine-tuning teaches.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/message.h"

namespace craft {

// A conversation of one to four questions and their answers; a plain text has no messages and is modelled as a whole.
struct Exercise {
    std::vector<Message> messages;
    std::string text;
};

// Streams `count` exercises, one in twelve a plain text, to `emit`; item i depends on (seed, i, count) alone. Those about a
// text come in by and by: none at first, two in three from the middle on.
void make_exercises(const std::vector<std::string>& texts, int64_t count, uint64_t seed,
                    const std::function<void(Exercise&&)>& emit);

}  // namespace craft
