// What `revise` reads: texts with their instructions, and plans that were made elsewhere.
#pragma once

#include <string>
#include <unordered_map>

#include "core/json.h"
#include "data/instruction.h"

namespace craft {

struct RevisionTask {
    Json row;                 // as it came; null of --text
    Instruction instruction;  // id, instruction and text alone: gold is carried through and never read
};

// Throws Error naming `where` and the field: one that is missing, an empty text.
RevisionTask revision_task(const Json& row, const std::string& where);

// Plans of a file, by id: planners' responses as `plan` writes them, or a person's lines and calls.
class GivenPlans {
public:
    // An empty file name: none. Throws Error on a row that is no plan, and on two of one id.
    GivenPlans(const std::string& file, const JsonLinesOptions& lines);
    bool empty() const { return responses_.empty(); }
    // A planner's response. Throws Error if there is none for the id.
    const std::string& of(const std::string& id) const;

private:
    std::unordered_map<std::string, std::string> responses_;
};

}  // namespace craft
