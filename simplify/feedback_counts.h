// What came of rounds of feedback over many texts, and the rounds as files have them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "simplify/text_simplifier.h"

namespace craft {

// {"report","no_report"?,"thinking"?,"answer"?,"no_answer"?,"noted"?,"verdict","no_verdict"?,
// "judgement"?,"text"}; "verdict" is null without one.
Json to_json(const CorrectionRound& round);
// Throws Error naming `where` on another form.
CorrectionRound correction_round_from_json(const Json& object, const std::string& where);

// The row of a trace: {"id","source","rounds":[{"round":0,"text","failed"?}, {"round":1, ...}, ...]}.
Json feedback_trace(const std::string& id, const std::string& source, const Simplification& made);

class FeedbackCounts {
public:
    void add(const Simplification& made);
    int64_t reports() const { return reports_; }  // that the judge gave, in all rounds
    // {"texts","without_text","rounds":[{"round","corrected","unchanged","declined","no_report":{reason:count},
    // "no_answer":{reason:count},"better","worse","no_verdict":{reason:count},"noted":{kind:count}}...]}.
    // Of each round: texts - without_text = corrected + unchanged + declined (an answer that did not take the place of the
    // text before it) + the sums of no_report and no_answer; answers = better + worse + the sum of no_verdict.
    Json to_json() const;

private:
    struct Of {
        int64_t corrected = 0, unchanged = 0, declined = 0, better = 0, worse = 0;
        std::map<std::string, int64_t> no_report, no_answer, no_verdict, noted;
    };
    int64_t texts_ = 0, without_text_ = 0, reports_ = 0;
    std::vector<Of> rounds_;
};

}  // namespace craft
