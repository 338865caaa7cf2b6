// Which of several endpoints is asked next. Time is given by the caller, in seconds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace craft {

struct EndpointOptions {
    int64_t failures = 3;    // in a row, after which an endpoint is set aside
    double first_aside = 2;  // seconds; twice as long each time that it fails again
    double longest_aside = 120;
};

// By weights, evenly interleaved (smooth weighted round robin): of weights 2 and 1 it chooses a, b, a, a, b, a ... An
// endpoint that failed several times in a row is set aside, then tried with one request at a time until one succeeds. The
// last one that is left is never set aside: to wait before its next request is the backoff's business.
class EndpointChoice {
public:
    EndpointChoice(const std::vector<double>& weights, const EndpointOptions& options = {});
    // Among those that are not set aside and of which `has_room` says so; absent where there is none.
    std::optional<size_t> choose(double now, const std::function<bool(size_t)>& has_room);
    void succeeded(size_t endpoint);
    void failed(size_t endpoint, double now);  // dropped, timed out, an answer that a working server does not give
    void released(size_t endpoint);            // an end that says nothing of the endpoint's health
    // When the first of those set aside is tried again; absent where none is.
    std::optional<double> next_trial() const;
    int64_t times_set_aside() const { return times_set_aside_; }

private:
    struct State {
        double weight = 1, credit = 0;
        int64_t failures = 0;  // in a row
        int64_t asides = 0;    // in a row: how often it was set aside since it last worked
        double aside_until = 0;
        bool on_trial = false;  // one request is under way, which decides
    };
    bool is_open(const State& state, double now) const;
    bool others_are_open(size_t endpoint, double now) const;
    EndpointOptions options_;
    std::vector<State> states_;
    int64_t times_set_aside_ = 0;
};

}  // namespace craft
