// A model that is asked to report on one simplification.
#pragma once

#include <memory>
#include <string>

#include "judge/verdicts/candidate_report.h"
#include "judge/verdicts/choice_asking.h"
#include "judge/verdicts/report_prompt.h"
#include "systems/system.h"

namespace craft {

class ModelReporter : public CandidateReporter {
public:
    // The system must outlive it.
    ModelReporter(System& system, std::string name, std::shared_ptr<const ReportPrompt> prompt, ChoiceAsking asking)
        : system_(system), name_(std::move(name)), prompt_(std::move(prompt)), asking_(std::move(asking)) {}
    std::string name() const override { return name_; }
    // An answer without a text of its own, thinking taken off, is asked for again, as often as `asking` says; a failed one
    // is not.
    CandidateReport report(const std::string& id, const std::string& source, const std::string& candidate,
                           uint64_t round) const override;

private:
    System& system_;
    std::string name_;
    std::shared_ptr<const ReportPrompt> prompt_;
    ChoiceAsking asking_;
};

}  // namespace craft
