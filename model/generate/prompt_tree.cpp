#include "model/generate/prompt_tree.h"

#include <algorithm>

#include "model/kernels/cpu_kernels.h"

namespace craft {

namespace {

using Prompts = std::vector<const std::vector<int64_t>*>;

constexpr int64_t kPage = kLanes, kLeast = 64;  // tokens

// Whole pages that both begin with, each with a token after them.
int64_t shared_tokens(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(a.size(), b.size()));
    const auto same = std::mismatch(a.begin(), a.begin() + shorter, b.begin()).first - a.begin();
    return std::max<int64_t>(0, std::min<int64_t>(same, shorter - 1)) / kPage * kPage;
}

struct Builder {
    const Prompts& prompts;
    std::vector<int64_t> shared;  // [i]: of prompts i and i + 1
    std::vector<PrefixSegment> tree = {};

    // Prompts [first, last), whose first `depth` tokens are those of `parent` and what is before it.
    void add(size_t first, size_t last, int64_t depth, int64_t parent) {
        if (last - first == 1) {
            const auto prompt = static_cast<int64_t>(first);
            tree.push_back({parent, prompt, depth, static_cast<int64_t>(prompts[first]->size()), true});
            return;
        }
        const auto neighbours = shared.begin() + static_cast<std::ptrdiff_t>(first);
        const int64_t least = *std::min_element(neighbours, shared.begin() + static_cast<std::ptrdiff_t>(last - 1));
        if (least >= depth + kLeast) {
            tree.push_back({parent, static_cast<int64_t>(first), depth, least, false});
            parent = static_cast<int64_t>(tree.size()) - 1;
            depth = least;
        }
        // Where neighbours share not enough beyond that, they part.
        for (size_t begin = first; begin < last;) {
            size_t end = begin + 1;
            while (end < last && shared[end - 1] >= depth + kLeast) ++end;
            add(begin, end, depth, parent);
            begin = end;
        }
    }
};

}  // namespace

std::vector<PrefixSegment> prompt_tree(const Prompts& prompts) {
    if (prompts.empty()) return {};
    Builder builder{prompts, {}};
    for (size_t i = 0; i + 1 < prompts.size(); ++i) builder.shared.push_back(shared_tokens(*prompts[i], *prompts[i + 1]));
    builder.add(0, prompts.size(), 0, -1);
    return std::move(builder.tree);
}

}  // namespace craft
