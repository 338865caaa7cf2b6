// Who asks for what just now, so that two threads that want the same answer ask for it once.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "systems/system.h"

namespace craft {

// Whoever claims keys settles or abandons all of them before it waits for others': so nobody waits in a circle. Thread-safe.
class InFlightRequests {
public:
    struct Ask {
        std::string key;
        std::optional<Reply> reply;  // of a settled one
        bool over = false;           // settled or abandoned
        std::condition_variable ended;
    };
    struct Claim {
        std::shared_ptr<Ask> ask;
        bool is_mine = false;  // the caller asks; else another one does
    };
    // One claim a key, in order; keys must differ.
    std::vector<Claim> claim(const std::vector<std::string>& keys);
    // Gives the reply to those that wait; the key may be claimed again.
    void settle(Ask& ask, const Reply& reply);
    // There will be no reply (the system threw): one of those that wait may claim the key.
    void abandon(Ask& ask);
    // Another one's reply; none if the ask was abandoned.
    std::optional<Reply> wait(Ask& ask);

private:
    void end(Ask& ask, std::optional<Reply> reply);
    std::mutex mutex_;
    std::unordered_map<std::string, std::shared_ptr<Ask>> asks_;
};

}  // namespace craft
