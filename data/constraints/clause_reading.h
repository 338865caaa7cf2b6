// What one clause of an instruction asks of a count, a keyword or sentences of the text.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "data/constraints/clause_targets.h"
#include "data/constraints/reading_vocabulary.h"
#include "tools/craft/tool_call.h"

namespace craft {

struct Clause {
    Items items;
    ClauseTarget target;  // within these

    // Whether every item beside the target has one of the signs, or is one that says nothing.
    bool says_only(std::initializer_list<Sign> signs) const;
};

struct ClauseReading {
    enum class Status {
        read,
        incomplete,  // it does not say what is to be done: another clause may
        refused,     // it says something that cannot be read with certainty
    };
    Status status = Status::incomplete;
    std::vector<ToolCall> calls;
    std::vector<ToolCall> exclusive;  // of "between 80 and 100": what is asked where neither number counts as within
    std::string refused;              // "vague bound" or "unread"
    bool lacks_only = false;          // it says "change" and not, by itself, "only"
};

ClauseReading read_clause(const Clause& clause);
ClauseReading read_count(const Clause& clause);  // of a clause with numbers
ClauseReading refuse_clause(const std::string& reason = "unread");

// What is to be done with something, as verbs say it.
enum class Intent { none, keep, remove, change, unclear };
// `from`, `to`: the items that are looked at.
Intent intent_of(const Items& items, size_t from, size_t to);

}  // namespace craft
