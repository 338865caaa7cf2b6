// A system: messages in, text out, many at a time (docs/structure.md "The seams"). Teacher, planner, reviser and judge
// are roles that a system plays.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/conversation.h"

namespace craft {

struct Request {
    Conversation conversation;
    uint64_t item = 0;  // keys the random stream together with the system's seed and stage
    uint64_t sample = 0;
};

struct SamplingOptions {
    int64_t max_new_tokens = 512;
    double temperature = 0;  // 0: greedy
    double top_p = 1;
    int64_t top_k = 0;  // 0: all
    std::vector<std::string> stop = {};
    bool logprobs = false;  // ask for Reply::mean_logprob
    bool keep_histories =
        true;  // later requests may go on behind the answers: what they computed is kept while there is room
    std::string stage = "rollout";  // keys the random streams together with the system's seed, item and sample
};

// What an answer cost.
struct Usage {
    int64_t prompt_tokens = 0, new_tokens = 0;
    int64_t cached_tokens = 0;  // of the prompt's: of earlier prompts and answers, which were kept; the same for all samples
};

struct Reply {
    enum class Status {
        finished,
        cut,    // at max_new_tokens
        failed  // no text: `error` says why
    };
    std::string text;
    Status status = Status::finished;
    Usage usage = {};
    std::string error = {};
    std::optional<double> mean_logprob = {};  // of its tokens by the model; absent where not asked for, or not known
    bool is_finished() const { return status == Status::finished; }
};

class System {
public:
    virtual ~System() = default;
    // One reply a request, in order. Requests that share a message prefix may share its computation.
    // One request that cannot be answered fails alone (Status::failed). Throws Error when the system cannot answer at all.
    virtual std::vector<Reply> answer(const std::vector<Request>& requests, const SamplingOptions& sampling) = 0;
    virtual std::string name() const = 0;
};

}  // namespace craft
