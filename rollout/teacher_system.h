// The built-in teacher as a system, for sessions that make trajectories.
#pragma once

#include "rules/rules_teacher.h"
#include "systems/system.h"

namespace craft {

// Answers from Request::trajectory: the instruction's gold calls and the last revision. Throws Error without it.
class TeacherSystem : public System {
public:
    explicit TeacherSystem(RulesTeacher teacher) : teacher_(std::move(teacher)) {}
    std::vector<Reply> answer(const std::vector<Request>& requests, const SamplingOptions& sampling) override;
    std::string name() const override { return "rules"; }

private:
    RulesTeacher teacher_;
};

}  // namespace craft
