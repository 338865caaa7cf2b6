// What one rendering may use, so that no template runs or grows without end. Inside text/jinja/ only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/jinja/template.h"
#include "text/jinja/value.h"

namespace craft::jinja {

class Budget {
public:
    explicit Budget(const Limits& limits) : limits_(limits) {}
    void step(int64_t steps = 1) {
        if ((steps_ += steps) > limits_.steps)
            throw Failure("the template takes more than " + std::to_string(limits_.steps) + " steps");
    }
    // To be called before memory of this size is taken; never given back.
    void charge(size_t bytes) {
        if (bytes > limits_.bytes || (bytes_ += bytes) > limits_.bytes)
            throw Failure("the template makes more than " + std::to_string(limits_.bytes) + " bytes of text and lists");
    }
    void charge_items(size_t items) {
        step(static_cast<int64_t>(items));
        charge(items * sizeof(Value));
    }
    // Calls within calls: of macros, and of expressions in expressions.
    void enter() {
        if (++depth_ > limits_.depth)
            throw Failure("calls and expressions nested more than " + std::to_string(limits_.depth) + " levels deep");
    }
    void leave() { --depth_; }

private:
    Limits limits_;
    int64_t steps_ = 0;
    size_t bytes_ = 0;
    int depth_ = 0;
};

// enter() and, also when it is left by an exception, leave().
class Level {
public:
    explicit Level(Budget& budget) : budget_(budget) { budget_.enter(); }
    ~Level() { budget_.leave(); }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

private:
    Budget& budget_;
};

}  // namespace craft::jinja
