// What besides the system decides the figures of a result of `eval editeval`, so that results are not compared as if it were
// the same.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/json.h"

namespace craft {

// Of an editeval.json: "normalize", "items" and the others of "settings", "signature of sari", "jfleg: prompts", "jfleg:
// items", "jfleg: references", "jfleg: missing predictions". What the result does not say is absent.
using EditConditions = std::map<std::string, Json>;
EditConditions conditions_of(const Json& result);

struct ConditionDifference {
    std::string condition;
    std::map<std::string, Json> values;  // by system: of all that say it
};
// Those that two systems at least say, and differently; and any missing predictions, since two runs that miss as many need
// not miss the same. In alphabetical order.
std::vector<ConditionDifference> differences_of(const std::vector<std::pair<std::string, EditConditions>>& systems);

}  // namespace craft
