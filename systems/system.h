// A system: messages in, text out, many at a time (docs/structure.md "The seams"). Teacher, planner, reviser and judge
// are roles that a system plays.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
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

// New tokens of an answer where nobody says how many, and the window leaves so much room.
inline constexpr int64_t kMaxNewTokens = 4096;

struct SamplingOptions {
    // What somebody configured is final: an answer that it cuts stays cut. Absent: what the window leaves, at most
    // kMaxNewTokens; a hosted answer that is cut all the same is asked for once more (systems/asking_for_more.h).
    std::optional<int64_t> max_new_tokens = {};
    double temperature = 0;  // 0: greedy
    double top_p = 1;
    int64_t top_k = 0;  // 0: all
    std::vector<std::string> stop = {};
    bool logprobs = false;  // ask for Reply::mean_logprob
    bool keep_histories =
        true;  // later requests may continue after the answers: what they computed is kept while there is room
    // Answers have the form of a planner's response, its calls in their normal form (data/response_grammar.h). Off: what is
    // read with leniency is counted.
    bool constrain_calls = false;
    std::string stage = "rollout";  // keys the random streams together with the system's seed, item and sample
    int64_t limit() const { return max_new_tokens.value_or(kMaxNewTokens); }
    bool operator==(const SamplingOptions&) const = default;
};

// What an answer cost.
struct Usage {
    int64_t prompt_tokens = 0, new_tokens = 0;
    int64_t cached_tokens = 0;  // of the prompt's: of earlier prompts and answers, which were kept; the same for all samples
    double seconds = 0;         // of a hosted answer, from its first request to its last byte; 0: not measured
    int64_t retries = 0;        // requests after the first one
    std::optional<double> usd = {};  // absent where no price is known
};

// Why there is no text that can be used. Names (failure_name) are what manifests count by.
enum class Failure {
    none,
    prompt_too_long,   // the prompt leaves the model no room; a history may be cut and asked for again
    rate_limited,      // HTTP 429, after all retries
    server_error,      // HTTP 5xx, after all retries
    refused_request,   // any other HTTP 4xx
    redirected,        // to another host, which is not followed, or too often
    timed_out,         // connecting, waiting for the first byte, or in all
    dropped,           // the connection broke, or was never made
    broken_reply,      // JSON that was cut short, or is not a chat completion's
    not_json,          // a proxy's page
    error_in_reply,    // an error object within an HTTP 200
    no_choices,        // `choices` is empty
    no_content,        // the content is null or empty
    content_filtered,  // finish_reason content_filter
    declined,          // the model's own refusal
    over_budget,       // was not asked for, or not again: the budget is spent
    awaited,           // was not asked for: it is in a batch file
};
const char* failure_name(Failure failure);  // "rate_limited"

struct Reply {
    enum class Status {
        finished,
        cut,    // at the limit of new tokens: half an answer, which is none
        failed  // no text: `failure` and `error` say why
    };
    std::string text;
    Status status = Status::finished;
    Usage usage = {};
    std::string error = {};
    std::optional<double> mean_logprob = {};  // of its tokens by the model; absent where not asked for, or not known
    std::string reasoning = {};               // thinking that came apart from the answer, or in <think> tags before it
    Failure failure = Failure::none;          // of a failed one
    bool recorded = false;                    // an earlier run's, or an earlier request's: nothing was computed or paid for
    bool is_finished() const { return status == Status::finished; }
    // Why nothing can be done with it, in whatever role: its failure's name, or "cut". Empty: it is an answer.
    std::string problem() const;
    static Reply failed(Failure failure, std::string error);
};

// Thrown where nothing can continue without an answer that is in a batch file (Failure::awaited).
struct AwaitedAnswer : std::exception {
    const char* what() const noexcept override { return "an answer is in a batch file"; }
};

// Told replies as they come, several at once, by their requests' numbers; on any thread, one call at a time.
using ReplySink = std::function<void(const std::vector<size_t>& which, const std::vector<Reply>& replies)>;

// Tells a sink of all replies at once; nothing if it is null.
void report_all(const std::vector<Reply>& replies, const ReplySink& sink);
// What every system's record() has: messages and what stands beside them, most new tokens, temperature, top_p, stop strings.
void add_request(Json& record, const Request& request, const SamplingOptions& sampling);

class System {
public:
    virtual ~System() = default;
    // One reply a request, in order. Requests that share a message prefix may share its computation.
    // One request that cannot be answered fails alone (Status::failed). Throws Error when the system cannot answer at all.
    std::vector<Reply> answer(const std::vector<Request>& requests, const SamplingOptions& sampling) {
        return answer_into(requests, sampling, nullptr);
    }
    // The same; `sink` (may be null) hears of each reply before the call returns, most of them as they come.
    virtual std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                           const ReplySink& sink) = 0;
    virtual std::string name() const = 0;
    // All that an answer depends on but the sample's number: what this system would send, or compute with. Two requests with
    // equal records and samples may share an answer.
    virtual Json record(const Request& request, const SamplingOptions& sampling) const = 0;
    // What is known just now of the model that answers and stands in no record: {place: what it says}, a hosted system's
    // servers. Two answers to equal records of which one place says different things are of different models. Null: nothing.
    virtual Json serving() { return nullptr; }
    // What the system counted itself, for manifests; null: nothing.
    virtual Json figures() const { return nullptr; }
};

}  // namespace craft
