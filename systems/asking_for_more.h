// A system from outside, whose window nobody knows here: where nobody configured a limit of new tokens, an answer that was
// cut is asked for once more with twice the room.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "systems/system.h"

namespace craft {

// Stands around all other decorators: each request has its record and its entry in the ledger. A configured limit
// (SamplingOptions::max_new_tokens) is final, and all is passed on as it is. Thread-safe if the inner system is.
class AskingForMore : public System {
public:
    // The inner system must outlive it.
    explicit AskingForMore(System& inner) : inner_(inner) {}
    // Of an answer that was cut the second one stands, with the cost of both; it may be cut as well, and where it fails, the
    // first one stays. A prompt that leaves less than kMaxNewTokens (Failure::prompt_too_long) is asked with
    // kFewerNewTokens. Throws what the inner system throws.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return inner_.name(); }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        return inner_.record(request, sampling);
    }
    Json figures() const override { return inner_.figures(); }

    static constexpr int64_t kFewerNewTokens = 1024;

private:
    using IsOpen = std::function<bool(const Reply&)>;
    void ask_again(const std::vector<Request>& requests, SamplingOptions sampling, int64_t limit, const IsOpen& is_open,
                   std::vector<Reply>& replies);

    System& inner_;
};

}  // namespace craft
