// The reviser's seam: carries a planner's response out on a text (CRAFT §5.2 "Revise"), or revises by the instruction alone.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "data/trajectory.h"
#include "rollout/rules/rules.h"
#include "systems/system.h"
#include "text/sentences.h"
#include "tools/leniency.h"

namespace craft {

struct RevisionRequest {
    std::string text;                          // the text to revise: the original, or the previous revision
    std::string original;                      // before any revision: "keep" and "unchange" are judged against it
    const ParsedResponse* response = nullptr;  // the planner's; must outlive the call; null: by the instruction alone
    uint64_t item = 0;                         // keys the random stream
    std::string instruction = {};              // what a reviser without a plan goes by
    uint64_t sample = 0;
};

struct Revised {
    std::string text;               // the revision; of one that is unusable, the text as it was
    std::string unusable = {};      // why there is no revision ("empty", "cut", ...: docs/revise.md); empty: there is one
    Leniency noted = {};            // what was odd about it: "prefaced", "unchanged", ...; "asked_again" once a time
    std::vector<Usage> usage = {};  // of each answer that it took; none of a reviser by rules
    bool is_usable() const { return unusable.empty(); }
};

// Adds "unusable: REASON" and "noted: KIND" of a revision.
void count_revision(std::map<std::string, int64_t>& counted, const Revised& revised);

class Reviser {
public:
    virtual ~Reviser() = default;
    // One revision a request, in order. Throws Error when the reviser cannot answer at all, and where it cannot do without a
    // plan and there is none.
    virtual std::vector<Revised> revise(const std::vector<RevisionRequest>& requests) = 0;
    virtual std::string name() const = 0;
};

// What the reviser makes of them. A revision that is not UTF-8 is unusable ("not_utf8"): no file could hold it. Throws Error
// where the reviser does, or gives another number of revisions.
std::vector<Revised> revise_all(Reviser& reviser, const std::vector<RevisionRequest>& requests);

struct ReviserResources {
    std::shared_ptr<const Rules> rules;
    SentenceRule sentences = SentenceRule::paper;
};

// The reviser of that name ("rules"). Throws Error listing the known ones.
std::unique_ptr<Reviser> open_reviser(const std::string& name, const ReviserResources& resources);

}  // namespace craft
