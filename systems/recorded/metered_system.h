// A system whose replies are entered in a ledger, under the role that it plays.
#pragma once

#include <memory>
#include <string>

#include "systems/recorded/usage_ledger.h"
#include "systems/system.h"

namespace craft {

// Stands around all other decorators, so that recorded replies are counted, too. Replies are entered as they come: what was
// paid for before a run was stopped is in the sums. Thread-safe if the inner system is.
class MeteredSystem : public System {
public:
    MeteredSystem(std::shared_ptr<System> inner, std::shared_ptr<UsageLedger> ledger, std::string role)
        : inner_(std::move(inner)), ledger_(std::move(ledger)), role_(std::move(role)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override {
        return inner_->answer_into(requests, sampling,
                                   [&](const std::vector<size_t>& which, const std::vector<Reply>& replies) {
                                       ledger_->add(role_, sampling.stage, replies);
                                       if (sink) sink(which, replies);
                                   });
    }
    std::string name() const override { return inner_->name(); }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        return inner_->record(request, sampling);
    }

private:
    std::shared_ptr<System> inner_;
    std::shared_ptr<UsageLedger> ledger_;
    std::string role_;
};

}  // namespace craft
