// S_a = lambda_v*100*S_v + lambda_r*S_r + lambda_c*100*S_c (CRAFT Eq. 1).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/constraints/adherence.h"
#include "data/trajectory.h"
#include "judge/quality.h"
#include "tools/craft/check.h"
#include "tools/craft/tool_use.h"

namespace craft {

struct RewardOptions {
    double lambda_v = 0.5, lambda_r = 0.25, lambda_c = 0.25;
    SentenceRule sentences = SentenceRule::paper;
};

struct Judged {
    ToolUse tool_use;
    Adherence adherence;
    std::vector<RawQuality> quality;  // one a scorer
    std::optional<double> s_r;        // 0-100: mean of the normalised scorers; absent without scorers
    double s_a = 0;                   // 0-100; S_c counts 1 without constraints, S_r 0 without scorers
    StepScores scores() const;
};

// What is judged; all of it must outlive the call.
struct Revision {
    const Instruction* instruction = nullptr;
    const ParsedCalls* calls = nullptr;      // in the planner's response
    const MeasuredText* original = nullptr;  // the instruction's text, measured by the judge's rule of sentences
    const MeasuredText* text = nullptr;      // what the reviser made of it, likewise
};

// Judges many revisions; the initial values of a text are computed once a call. A revision's result depends on the other
// revisions of its text that are judged in the call, in the last bits, and on nothing else.
class Judge {
public:
    // `quality` may be empty: S_r is then absent and counts 0.
    Judge(RewardOptions options, std::vector<QualityTerm> quality);
    virtual ~Judge() = default;
    Judge(const Judge&) = default;
    Judge(Judge&&) = default;
    Judge& operator=(const Judge&) = default;
    Judge& operator=(Judge&&) = default;
    // One result a revision, in order. Throws Error where a scorer does, or on a revision that lacks something.
    virtual std::vector<Judged> judge(const std::vector<Revision>& revisions);
    SentenceRule sentences() const { return options_.sentences; }
    const RewardOptions& options() const { return options_; }

private:
    void add_quality(const std::vector<Revision>& revisions, std::vector<Judged>& judged);

    RewardOptions options_;
    std::vector<QualityTerm> quality_;
};

}  // namespace craft
