#include "eval/eval_items.h"

#include "data/instruction.h"

namespace craft {

std::string shape_of(const std::vector<ToolCall>& gold) {
    const auto constraint = constraint_from_calls(gold);
    return constraint ? shape_name(constraint->shape) : "other";
}

}  // namespace craft
