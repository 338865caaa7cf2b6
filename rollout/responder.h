// Who writes the next step of a trajectory: a system, from the messages alone, or the built-in teacher, from gold.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "rollout/rules/rules_teacher.h"
#include "systems/system.h"

namespace craft {

// Asks for the step after a history.
struct StepRequest {
    const Trajectory* history = nullptr;
    uint64_t sample = 0;
};

class Responder {
public:
    virtual ~Responder() = default;
    // One reply an ask, in order. Throws Error when there is none to be had.
    virtual std::vector<Reply> respond(const std::vector<StepRequest>& asks) = 0;
    virtual std::string name() const = 0;
};

// Attempts of one sample draw from streams of their own, after those of all samples.
constexpr uint64_t kAttemptStride = uint64_t{1} << 32;

struct ResponderOptions {
    int64_t attempts = 1;            // asked at most this many times for one step
    double again_temperature = 0.7;  // of the second attempt on, where the first is greedy: it would give the same response
};

// Whether a planner's response cannot be worked with as it is: a call is unusable, or there are neither calls nor a plan.
// One that failed or was cut is not: the system has asked again where that may help.
bool is_malformed(const Reply& reply);

// Gives a system the messages of a history and nothing else of it. Where they outgrow the system's window, the oldest
// observations are left out one after the other, but for the last, and it is asked again.
// A response that is malformed (is_malformed()) is asked for again, with the next sample of its own, as often as the options
// say; the last one stands.
class SystemResponder : public Responder {
public:
    SystemResponder(System& system, SamplingOptions sampling, ResponderOptions options = {})
        : system_(system), sampling_(std::move(sampling)), options_(options) {}
    std::vector<Reply> respond(const std::vector<StepRequest>& asks) override;
    std::string name() const override { return system_.name(); }
    int64_t generated_tokens() const { return generated_; }  // new tokens of all replies so far
    int64_t cut_observations() const { return cut_; }        // left out so far, each once a request
    int64_t asked_again() const { return again_; }           // for malformed responses

private:
    std::vector<Reply> within_window(const std::vector<StepRequest>& asks, const SamplingOptions& sampling);

    System& system_;
    SamplingOptions sampling_;
    ResponderOptions options_;
    std::atomic<int64_t> generated_ = 0, cut_ = 0, again_ = 0;  // items of a flow ask from threads of their own
};

// The built-in teacher reads the gold calls, which no system ever sees.
class TeacherResponder : public Responder {
public:
    explicit TeacherResponder(RulesTeacher teacher) : teacher_(std::move(teacher)) {}
    std::vector<Reply> respond(const std::vector<StepRequest>& asks) override;
    std::string name() const override { return "rules"; }

private:
    RulesTeacher teacher_;
};

// The messages of a history without what its first `cut` observations say.
std::vector<Message> messages_without(const Trajectory& history, size_t cut);

// The key of the random streams of the step after a history: the instruction and the number of its steps, so that no order
// matters.
uint64_t step_key(const Trajectory& history);

}  // namespace craft
