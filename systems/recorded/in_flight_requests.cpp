#include "systems/recorded/in_flight_requests.h"

#include <utility>

namespace craft {

std::vector<InFlightRequests::Claim> InFlightRequests::claim(const std::vector<std::string>& keys) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Claim> claims(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) {
        std::shared_ptr<Ask>& ask = asks_[keys[i]];
        claims[i].is_mine = ask == nullptr;
        if (claims[i].is_mine) {
            ask = std::make_shared<Ask>();
            ask->key = keys[i];
        }
        claims[i].ask = ask;
    }
    return claims;
}

void InFlightRequests::settle(Ask& ask, const Reply& reply) {
    end(ask, reply);
}

void InFlightRequests::abandon(Ask& ask) {
    end(ask, std::nullopt);
}

void InFlightRequests::end(Ask& ask, std::optional<Reply> reply) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (ask.over) return;
    ask.reply = std::move(reply);
    ask.over = true;
    asks_.erase(ask.key);
    ask.ended.notify_all();
}

std::optional<Reply> InFlightRequests::wait(Ask& ask) {
    std::unique_lock<std::mutex> lock(mutex_);
    ask.ended.wait(lock, [&] { return ask.over; });
    return ask.reply;
}

}  // namespace craft
