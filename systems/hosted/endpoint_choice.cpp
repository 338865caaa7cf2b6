#include "systems/hosted/endpoint_choice.h"

#include <algorithm>
#include <cmath>

namespace craft {

EndpointChoice::EndpointChoice(const std::vector<double>& weights, const EndpointOptions& options) : options_(options) {
    for (const double weight : weights) states_.push_back({.weight = weight});
}

bool EndpointChoice::is_open(const State& state, double now) const {
    return now >= state.aside_until && !state.on_trial;
}

bool EndpointChoice::others_are_open(size_t endpoint, double now) const {
    for (size_t i = 0; i < states_.size(); ++i)
        if (i != endpoint && is_open(states_[i], now)) return true;
    return false;
}

std::optional<size_t> EndpointChoice::choose(double now, const std::function<bool(size_t)>& has_room) {
    std::optional<size_t> best;
    double total = 0;
    for (size_t i = 0; i < states_.size(); ++i) {
        if (!is_open(states_[i], now) || !has_room(i)) continue;
        total += states_[i].weight;
        if (!best || states_[i].credit + states_[i].weight > states_[*best].credit + states_[*best].weight) best = i;
    }
    if (!best) return best;
    for (size_t i = 0; i < states_.size(); ++i)
        if (is_open(states_[i], now) && has_room(i)) states_[i].credit += states_[i].weight;
    states_[*best].credit -= total;
    states_[*best].on_trial = states_[*best].asides > 0;
    return best;
}

void EndpointChoice::succeeded(size_t endpoint) {
    State& state = states_[endpoint];
    state.failures = state.asides = 0;
    state.aside_until = 0;
    state.on_trial = false;
}

void EndpointChoice::failed(size_t endpoint, double now) {
    State& state = states_[endpoint];
    const bool was_trial = state.on_trial;
    state.on_trial = false;
    ++state.failures;
    if (now < state.aside_until) return;  // it began before the endpoint was set aside
    if ((!was_trial && state.failures < options_.failures) || !others_are_open(endpoint, now)) return;
    const double doublings = static_cast<double>(std::min<int64_t>(state.asides, 30));
    state.aside_until = now + std::min(options_.longest_aside, options_.first_aside * std::exp2(doublings));
    ++state.asides;
    ++times_set_aside_;
}

void EndpointChoice::released(size_t endpoint) {
    states_[endpoint].on_trial = false;
}

std::optional<double> EndpointChoice::next_trial() const {
    std::optional<double> first;
    for (const State& state : states_)
        if (state.asides > 0 && !state.on_trial && (!first || state.aside_until < *first)) first = state.aside_until;
    return first;
}

}  // namespace craft
