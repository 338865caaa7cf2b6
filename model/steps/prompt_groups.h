// Prompts that begin alike: what they share is computed once. Inside model/ and generate/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace craft {

// Prompts first .. first + count - 1 begin with the same `shared` tokens, and each goes on behind them; one by itself shares
// 0.
struct PromptGroup {
    size_t first = 0, count = 1;
    int64_t shared = 0;
};

// All prompts, in groups of neighbours: in an order by their tokens, those that begin alike stand beside each other. What a
// group shares is a multiple of 16 tokens, the kernels' block of positions, so that every sum is added up as without
// sharing.
std::vector<PromptGroup> prompt_groups(const std::vector<const std::vector<int64_t>*>& prompts);

}  // namespace craft
