// A judge for the items of a flow (core/flow.h), which judge from threads of their own.
#pragma once

#include "core/flow.h"
#include "judge/reward.h"

namespace craft {

// What each item wants judged is judged by itself, on the flow's own thread: an item's figures do not depend on what else
// waits at the same time.
class FlowingJudge : public Judge {
public:
    // The flow must outlive the judge.
    FlowingJudge(Flow& flow, Judge judge) : Judge(std::move(judge)), flow_(flow) {
        serve_ = [this](const std::vector<void*>& jobs) {
            for (void* job : jobs) {
                auto& asked = *static_cast<Asked*>(job);
                asked.judged = Judge::judge(*asked.revisions);
            }
        };
    }
    std::vector<Judged> judge(const std::vector<Revision>& revisions) override {
        Asked asked{&revisions};
        flow_.compute(this, serve_, &asked);
        return std::move(asked.judged);
    }

private:
    struct Asked {
        const std::vector<Revision>* revisions;
        std::vector<Judged> judged = {};
    };
    Flow& flow_;
    Flow::Serve serve_;
};

}  // namespace craft
