// Which corrections a sentence gets, in what order: rules propose, a model of language weighs, thresholds decide.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "english/lazy_pipeline.h"
#include "gec/rules/correction_kind.h"
#include "gec/rules/correction_language.h"
#include "gec/rules/correction_thresholds.h"

namespace craft {

// A sentence, and what the tool error_parsing said of it (gec/rules/observed_errors.h); empty: it was not asked.
struct ObservedSentence {
    std::string text;
    std::string observation = {};
};

struct PlannedCorrection {
    CorrectionProposal proposal;  // its bytes are those of the sentence before it
    double gain = 0;              // of log-probability, in nats; -infinity where no model was asked
    std::string sentence;         // after it
};

struct CorrectionPlan {
    std::string source;
    std::vector<PlannedCorrection> steps;
    const std::string& text() const { return steps.empty() ? source : steps.back().sentence; }
};

struct CorrectionPlannerOptions {
    // The corrected sentence is looked at this many times in all, since one error hides another; from the second look on
    // near what was changed. A correction that would bring back an earlier wording is never made.
    int64_t passes = 3;
    int64_t threads = 2;
    size_t max_words = 150;  // longer sentences have an empty plan
};

// Proposals of a sentence with what a model gains by each.
struct WeighedProposals {
    std::vector<CorrectionProposal> proposals;
    std::vector<double> gains;
};

class CorrectionPlanner {
public:
    // Without `gains` only corrections that are sure are made.
    CorrectionPlanner(std::shared_ptr<const LazyEnglishPipeline> english, std::shared_ptr<const CorrectionLanguage> language,
                      CorrectionThresholds thresholds, ReplacementGains gains, const CorrectionPlannerOptions& options = {});

    // One a sentence. Throws Error as the pipeline, the dictionary and `gains` do; a sentence that is not UTF-8 has an empty
    // plan. May be called from several threads at once if `gains` may.
    std::vector<CorrectionPlan> plan(const std::vector<ObservedSentence>& sentences) const;
    // What the first pass would choose from, for fitting.
    std::vector<WeighedProposals> weighed(const std::vector<ObservedSentence>& sentences) const;

private:
    std::vector<WeighedProposals> weighed_where(
        const std::vector<ObservedSentence>& sentences,
        const std::function<bool(size_t sentence, const CorrectionProposal&)>& is_wanted) const;

    std::shared_ptr<const LazyEnglishPipeline> english_;
    std::shared_ptr<const CorrectionLanguage> language_;
    CorrectionThresholds thresholds_;
    ReplacementGains gains_;
    CorrectionPlannerOptions options_;
};

// Of weighed proposals those that pass their thresholds by most, apart from each other by a word at least, left to right.
// Sure ones come first.
std::vector<size_t> chosen_corrections(const std::string& sentence, const WeighedProposals& weighed,
                                       const CorrectionThresholds& thresholds);

}  // namespace craft
