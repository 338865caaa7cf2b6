// Who says which candidate is best and which worst: a model that is asked, the rules, or numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/candidates.h"
#include "judge/verdicts/duel.h"
#include "judge/verdicts/listwise_reply.h"

namespace craft {

// One answer to one question, as it came.
struct JudgingAttempt {
    std::string reply = {};
    std::string thinking = {};       // what came apart from the answer
    Leniency let_pass = {};          // as ListwiseReply::let_pass
    std::string problem = {};        // why it gave no verdict that counts: Reply::problem(), or one of ListwiseReply's
    bool is_failed = false;          // the system gave no text
    std::vector<size_t> shown = {};  // the candidates that the question showed, in their places
    std::map<std::string, ListwiseVerdict> verdicts = {};  // of this answer, by aspect; numbers of candidates
};

// What a judge said of one group in one order.
struct Judgement {
    std::string judge = {};                                // its specification
    std::vector<size_t> order = {};                        // order[place]: which candidate stood there
    uint64_t repeat = 0;                                   // 0: the first time
    std::map<std::string, ListwiseVerdict> verdicts = {};  // by aspect; numbers of candidates, whatever the order
    std::map<std::string, std::string> reasons = {};       // of each aspect without a verdict
    std::vector<JudgingAttempt> attempts = {};             // none where nobody was asked
    // Of each candidate by its number, higher better; empty where the judge gave verdicts and no numbers. Absent: not
    // measured.
    std::vector<std::optional<double>> scores = {};
    // Of who marks single texts: the figure of each candidate by aspect, as its scale has it (mark_scales.h). Absent: no
    // mark.
    std::map<std::string, std::vector<std::optional<double>>> marks = {};
    std::map<std::string, std::vector<Duel>> duels = {};  // by aspect; of who compares two at a time, numbers of candidates
    std::map<std::string, int64_t> noted = {};  // what stood in its questions ("text like a verdict"), and what they lacked
};

class CandidateJudge {
public:
    virtual ~CandidateJudge() = default;
    virtual std::string name() const = 0;
    // `order` holds each candidate's number once; who asks about few of them at a time may leave some out. May be called by
    // several threads at once. Throws what a system throws.
    virtual Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const = 0;
};

}  // namespace craft
