// What `revise` reads: texts with their instructions, plans that were made elsewhere, and what another method cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "core/json.h"
#include "data/instruction.h"
#include "systems/system.h"

namespace craft {

struct RevisionTask {
    Json row;                            // as it came; null of --text
    Instruction instruction;             // id, instruction and text alone: gold is carried through and never read
    int64_t of_id = 1;                   // the how-manieth text of its id, where trees are written
    std::optional<int64_t> tokens = {};  // that its revisions are to cost; absent: nobody says
};

// Plans of a file, by id: planners' responses as `plan` writes them, or a person's lines and calls.
class GivenPlans {
public:
    // An empty file name: none. Throws Error on a row that is no plan, on two of one id, and where there is no row.
    GivenPlans(const std::string& file, const JsonLinesOptions& lines);
    bool empty() const { return plans_.empty(); }
    // Throws Error naming `where`, a text's place, if there are plans and none for its id. Of such a text of() is asked
    // then.
    void expect(const std::string& id, const std::string& where);
    // A planner's reply; what `plan` says was cut, or failed, is so again.
    const Reply& of(const std::string& id) const;
    int64_t unused() const;  // plans whose id no text had so far

private:
    struct Plan {
        Reply response;
        bool is_used = false;
    };
    std::string file_;
    std::unordered_map<std::string, Plan> plans_;
};

// What texts cost another run of `revise`, by id: tokens in and out of all its answers.
class TokenBudgets {
public:
    // An empty file name: none. Throws Error on a row without "cost", on one of no tokens, on two of one id, and where there
    // is no row.
    TokenBudgets(const std::string& file, const JsonLinesOptions& lines);
    // Absent where there is no file. Throws Error naming `where`, a text's place, if the file has no row of its id.
    std::optional<int64_t> of(const std::string& id, const std::string& where) const;

private:
    std::string file_;
    std::unordered_map<std::string, int64_t> tokens_;
};

// Throws Error naming `where` and the field: one that is missing or empty; and as GivenPlans::expect() and
// TokenBudgets::of() do.
RevisionTask revision_task(const Json& row, const std::string& where, GivenPlans& plans, const TokenBudgets& budgets);

}  // namespace craft
