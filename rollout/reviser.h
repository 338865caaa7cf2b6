// The reviser's seam: carries a planner's response out on a text (CRAFT §5.2 "Revise").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/trajectory.h"

namespace craft {

struct RevisionRequest {
    std::string text;      // the text to revise: the original, or the previous revision
    std::string original;  // the text before any revision: "keep" and "unchange" are judged against it
    std::string response;  // the planner's response (calls and plan)
    uint64_t item = 0;     // keys the random stream
};

class Reviser {
public:
    virtual ~Reviser() = default;
    virtual std::vector<std::string> revise(const std::vector<RevisionRequest>& requests) = 0;
    virtual std::string name() const = 0;
};

}  // namespace craft
