// Asking a system for one of a few words until it gives one that can be read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "judge/verdicts/choice_reply.h"
#include "systems/system.h"

namespace craft {

struct ChoiceAsking {
    int64_t attempts = 3;            // a question is asked at most this many times; 1: never again
    double again_temperature = 0.7;  // of the second attempt on, where the first is greedy: it would give the same answer
    SamplingOptions sampling = {.keep_histories = false, .stage = "judge"};
};

// One attempt: the answer as it came, and how it was read.
struct ChoiceAttempt {
    std::string reply;
    ChoiceReply read;           // of one that failed or was cut `problem` is Reply::problem()
    bool is_failed = false;     // the system gave no text
    std::string thinking = {};  // what came apart from the answer
};

struct ChoiceAnswer {
    std::optional<size_t> choice;         // absent: no attempt could be read
    std::vector<ChoiceAttempt> attempts;  // in their order; only the last one can have a choice
};

// As they are kept until a run's result is there.
Json to_json(const ChoiceAnswer& answer);
ChoiceAnswer choice_answer_from_json(const Json& row);

// One message of the user's. `item` and `sample` key the random stream; later attempts have streams of their own. An answer
// that failed or was cut ends the asking, since systems ask by themselves again where that may help. Throws what the system
// throws, and Error where it gives another number of replies.
ChoiceAnswer ask_choice(System& system, const std::string& prompt, uint64_t item, uint64_t sample,
                        const std::vector<std::string>& words, const ChoiceAsking& asking);

// What came of many questions, by kinds.
struct ChoiceCounts {
    int64_t questions = 0, answers = 0;        // answers: all attempts
    int64_t asked_again = 0;                   // answers after a question's first one
    int64_t unread = 0;                        // questions without a choice
    int64_t failed = 0;                        // of these, those whose last answer was a failure
    std::map<std::string, int64_t> malformed;  // answers that could not be read, by ChoiceReply::problem
    std::map<std::string, int64_t> let_pass;   // of those that could: by ChoiceReply::let_pass
    void add(const ChoiceAnswer& answer);
    void add(const ChoiceCounts& others);
};
Json to_json(const ChoiceCounts& counts);  // the fields by their names

}  // namespace craft
