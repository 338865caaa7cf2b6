// General reading and writing exercises over plain texts, from which a small base model is trained: language modelling,
// copying, quoting, ordinals, numbers, function calls, rules of everyday life and their notes. None of them shows an
// instruction with constraints, a checking tool or a revision plan. The rules and their notes are, however, the same skill
// under other names: a rule is read, noted in the teacher's form, and written as a call. Fine-tuning binds it to the tools.
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

// Streams `count` exercises to `emit`; one in twelve is a plain text. Item i depends on (seed, i, count) alone. The first
// twentieth of the exercises only copies. Texts, which are mixed from the sentences of all `texts`, are added step by step.
// `symbols` (may be empty) are spellings that occur only in what is to be copied, so that tokens which no text holds are
// seen, too. Throws Error if there is no text, or one without a sentence.
void make_exercises(const std::vector<std::string>& texts, const std::vector<std::string>& symbols, int64_t count,
                    uint64_t seed, const std::function<void(Exercise&&)>& emit);

}  // namespace craft
