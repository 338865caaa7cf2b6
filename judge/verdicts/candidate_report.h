// What a judge says of one simplification, so that somebody can do better (policy simplification App. A.4): an analysis in
// words, and no verdict.
#pragma once

#include <cstdint>
#include <string>

#include "judge/verdicts/shown_materials.h"

namespace craft {

struct CandidateReport {
    std::string text;     // empty: there is none
    std::string problem;  // why: Reply::problem(), "empty", "thinking" (that never ended); empty: there is one
    std::string thinking = {};
    int64_t attempts = 0;        // answers that were asked for; 0: nobody was
    NotedInQuestion noted = {};  // as ListwiseQuestion::noted
};

class CandidateReporter {
public:
    virtual ~CandidateReporter() = default;
    virtual std::string name() const = 0;
    // `id` and `round` key random streams: each round of a text has one of its own. May be called by several threads at
    // once. Throws what a system throws.
    virtual CandidateReport report(const std::string& id, const std::string& source, const std::string& candidate,
                                   uint64_t round) const = 0;
};

}  // namespace craft
