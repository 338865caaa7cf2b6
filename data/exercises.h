// General reading and writing exercises over plain texts, from which a small base model is trained: language modelling,
// copying, quoting, ordinals, numbers, function calls, rules of everyday life and their notes. None of them shows an
// instruction with constraints, a checking tool or a revision plan: those are what fine-tuning teaches.
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
    std::vector<std::string> kinds;  // of each question: "outline"
    std::string text;
};

// Streams `count` exercises, one in twelve a plain text, to `emit`; item i depends on (seed, i, count) alone. The first
// twentieth only copies; texts, which are mixed from sentences of all of them, come in by and by. `symbols` are
// spellings that only stand in what is to be copied, so that tokens that no text holds are seen too; may be empty. Throws
// Error if there is no text or one without a sentence.
void make_exercises(const std::vector<std::string>& texts, const std::vector<std::string>& symbols, int64_t count,
                    uint64_t seed, const std::function<void(Exercise&&)>& emit);

}  // namespace craft
