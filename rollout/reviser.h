// The reviser's seam: carries a planner's response out on a text (CRAFT §5.2 "Revise").
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "rules/rules.h"
#include "text/sentences.h"

namespace craft {

struct RevisionRequest {
    std::string text;                          // the text to revise: the original, or the previous revision
    std::string original;                      // before any revision: "keep" and "unchange" are judged against it
    const ParsedResponse* response = nullptr;  // the planner's; must outlive the call
    uint64_t item = 0;                         // keys the random stream
};

class Reviser {
public:
    virtual ~Reviser() = default;
    // One revision a request, in order. Throws Error when the reviser cannot answer.
    virtual std::vector<std::string> revise(const std::vector<RevisionRequest>& requests) = 0;
    virtual std::string name() const = 0;
};

struct ReviserResources {
    std::shared_ptr<const Rules> rules;
    SentenceRule sentences = SentenceRule::paper;
};

// The reviser of that name ("rules"). Throws Error listing the known ones.
std::unique_ptr<Reviser> open_reviser(const std::string& name, const ReviserResources& resources);

}  // namespace craft
