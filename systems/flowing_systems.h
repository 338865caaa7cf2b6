// Systems for the items of a flow (core/flow.h), which ask from threads of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/flow.h"
#include "systems/system.h"

namespace craft {

// A system that computes here: what the items that wait ask for is answered together, in the items' order, on the flow's own
// thread. The inner system is called by no two threads at once.
class ComputedSystem : public System {
public:
    // The flow must outlive the system.
    ComputedSystem(Flow& flow, std::shared_ptr<System> inner);
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return inner_->name(); }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        return inner_->record(request, sampling);
    }

private:
    struct Asked {
        const std::vector<Request>* requests;
        const SamplingOptions* sampling;
        std::vector<Reply> replies = {};
    };
    void serve(const std::vector<Asked*>& asked);

    Flow& flow_;
    std::shared_ptr<System> inner_;
    Flow::Serve serve_;
};

// A system that answers from outside, and may be asked by many threads at once: while an item waits for it, others do not
// wait for the item.
class AwaitedSystem : public System {
public:
    AwaitedSystem(Flow& flow, std::shared_ptr<System> inner) : flow_(flow), inner_(std::move(inner)) {}
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override {
        const Flow::Waiting waiting(flow_);
        return inner_->answer_into(requests, sampling, sink);
    }
    std::string name() const override { return inner_->name(); }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        return inner_->record(request, sampling);
    }

private:
    Flow& flow_;
    std::shared_ptr<System> inner_;
};

}  // namespace craft
