// What the text of a plan asks for, understood by its words ("split in two", "replace 'river'", "keep as it is").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/trajectory.h"

namespace craft {

struct PlanAction {
    // joined: by the sentence before, whose line says so; omit: the sentence goes.
    enum class Kind { keep, tighten, simplify, rephrase, lengthen, split, join, joined, omit, replace, mention };
    Kind kind = Kind::tighten;
    std::string keyword;  // of replace and mention
};

// Empty: the plan is not understood. Every word of it must be known, and every quotation be what is replaced or mentioned:
// who carries out half of what is asked, or something like it, changes something else. An empty plan asks to keep.
std::vector<PlanAction> plan_actions(std::string_view plan);

// For every sentence the plan line that quotes it (in full, or by its beginning ending in "..."), in order; -1: none.
std::vector<int> match_plan(const std::vector<PlanLine>& plan, const std::vector<std::string>& sentences);

}  // namespace craft
