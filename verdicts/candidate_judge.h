// Who says which candidate is best and which worst: a model that is asked, the rules, or numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/candidates.h"
#include "verdicts/listwise_reply.h"

namespace craft {

// One answer to one question, as it came.
struct JudgingAttempt {
    std::string reply;
    std::string thinking;               // what came apart from the answer
    std::vector<std::string> let_pass;  // as ListwiseReply::let_pass
    std::string problem;                // why it gave no verdict that counts: a failure's name, or one of ListwiseReply's
    bool is_failed = false;             // the system gave no text
};

// What a judge said of one group in one order.
struct Judgement {
    std::string judge;                                // its specification
    std::vector<size_t> order;                        // order[place]: which candidate stood there
    uint64_t repeat = 0;                              // 0: the first time
    std::map<std::string, ListwiseVerdict> verdicts;  // by aspect; numbers of candidates, whatever the order
    std::map<std::string, std::string> reasons;       // of each aspect without a verdict
    std::vector<JudgingAttempt> attempts;             // none where nobody was asked
    // Of each candidate by its number, higher better; empty where the judge gave verdicts and no numbers. Absent: not
    // measured.
    std::vector<std::optional<double>> scores = {};
};

class CandidateJudge {
public:
    virtual ~CandidateJudge() = default;
    virtual std::string name() const = 0;
    // `order` holds each candidate's number once. May be called by several threads at once. Throws what a system throws.
    virtual Judgement judge(const CandidateGroup& group, const std::vector<size_t>& order, uint64_t repeat) const = 0;
};

}  // namespace craft
