#include "model/steps/prompt_groups.h"

#include <algorithm>

namespace craft {

namespace {

constexpr int64_t kBlock = 16, kLeast = 64;  // tokens; to share fewer is not worth a segment of its own

// Whole blocks that both begin with, each with a token behind them.
int64_t shared_tokens(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    const auto same = std::mismatch(a.begin(), a.begin() + shorter, b.begin()).first - a.begin();
    return std::max<int64_t>(0, std::min<int64_t>(same, shorter - 1)) / kBlock * kBlock;
}

}  // namespace

std::vector<PromptGroup> prompt_groups(const std::vector<const std::vector<int64_t>*>& prompts) {
    std::vector<PromptGroup> groups;
    for (size_t i = 0; i < prompts.size(); ++i) {
        if (!groups.empty()) {
            PromptGroup& last = groups.back();
            const int64_t shared = shared_tokens(*prompts[last.first], *prompts[i]);
            // One that shares much less would cost the others more than it gains.
            const bool joins = shared >= kLeast && (last.count == 1 || 4 * shared >= 3 * last.shared);
            if (joins) {
                last.shared = last.count == 1 ? shared : std::min(shared, last.shared);
                ++last.count;
                continue;
            }
        }
        groups.push_back({i, 1, 0});
    }
    return groups;
}

}  // namespace craft
