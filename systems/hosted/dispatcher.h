// Asks for what callers wait for: what is sent when, to which endpoint, how often again, and when the run ends. One thread.
#pragma once

#include <memory>

#include "systems/hosted/batch.h"
#include "systems/hosted/profile.h"
#include "systems/hosted/report.h"
#include "systems/hosted/transport.h"

namespace craft {

class Dispatcher {
public:
    // `profile` and `keys` must outlive it. Throws Error where libcurl cannot be started.
    Dispatcher(const HostedProfile& profile, const HostedKeys& keys);
    ~Dispatcher();  // no batch may be under way
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;

    // Thread-safe, all three. The batch's requests are used until it is done, ended or withdrawn.
    void submit(const std::shared_ptr<Batch>& batch);
    // Returns when nothing of the batch is used any more; what is under way for it is not waited for.
    void withdraw(const std::shared_ptr<Batch>& batch);
    HostedReport report() const;

private:
    class Loop;
    std::unique_ptr<Loop> loop_;
};

}  // namespace craft
