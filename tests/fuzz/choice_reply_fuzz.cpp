// libFuzzer target: any bytes as a judge's answer. It has a choice or a problem, never both, and what has a choice has it
// also within blanks. Run as `choice_reply_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "judge/verdicts/choice_reply.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string reply(reinterpret_cast<const char*>(data), size);
    for (const auto& words : {std::vector<std::string>{"A", "B"}, std::vector<std::string>{"yes", "no"}}) {
        const craft::ChoiceReply read = craft::read_choice(reply, words);
        if (read.choice.has_value() != read.problem.empty()) std::abort();
        if (read.choice && *read.choice >= words.size()) std::abort();
        if (!read.choice && !read.let_pass.empty()) std::abort();
        if (craft::read_choice(" " + reply + "\n", words).choice != read.choice) std::abort();
    }
    return 0;
}
