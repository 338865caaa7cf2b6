// The rules report on one simplification: the principles that it meets, in words (policy simplification App. A.4).
#pragma once

#include "judge/verdicts/candidate_report.h"
#include "judge/verdicts/principles/principles_judge.h"

namespace craft {

class PrinciplesReporter : public CandidateReporter {
public:
    // `judge` must outlive it; `aspect` is one that it knows.
    PrinciplesReporter(const PrinciplesJudge& judge, std::string aspect) : judge_(judge), aspect_(std::move(aspect)) {}
    std::string name() const override { return judge_.name(); }
    CandidateReport report(const std::string& /*id*/, const std::string& source, const std::string& candidate,
                           uint64_t /*round*/) const override {
        return {.text = judge_.report(source, candidate, aspect_), .problem = {}};
    }

private:
    const PrinciplesJudge& judge_;
    std::string aspect_;
};

}  // namespace craft
