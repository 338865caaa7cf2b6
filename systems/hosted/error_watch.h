// Ends a run whose server has stopped working: by the share of the last items that failed for the server's reasons.
#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "systems/hosted/profile.h"
#include "systems/system.h"

namespace craft {

// Whether another request may bring what this one did not: everything but answers that a working server would give again.
bool may_be_repeated(Failure failure);
// Whether a failure says something of the server, and nothing of the item (its length, its content).
bool is_servers(Failure failure);

class ErrorWatch {
public:
    explicit ErrorWatch(const ErrorRate& options) : options_(options) {}
    void note(Failure failure, const std::string& error);  // of an item that ended; Failure::none: answered
    bool is_over() const;
    std::string line() const;  // "31 of the last 50 items failed, the last one so: ..."

private:
    ErrorRate options_;
    std::deque<bool> last_;
    int64_t failed_ = 0;
    std::string last_error_;
};

}  // namespace craft
