#include "judge/verdicts/pairwise_items.h"

#include <map>

#include "core/error.h"

namespace craft {

PairwiseItems join_revisions(const TextPairs& a, const TextPairs& b) {
    std::map<std::string, const TextPair*> of_b;
    for (const TextPair& pair : b.pairs) of_b.emplace(pair.id, &pair);
    std::map<std::string, PairwiseItem> both;
    for (const TextPair& pair : a.pairs)
        if (const auto found = of_b.find(pair.id); found != of_b.end())
            both.emplace(pair.id, PairwiseItem{pair.id, pair.original, pair.revision, found->second->revision});
    PairwiseItems joined;
    const auto originals = static_cast<int64_t>(a.pairs.size()) + a.missing;
    joined.missing_a = a.missing;
    joined.missing_b = b.missing;
    joined.missing = originals - static_cast<int64_t>(both.size());
    if (both.empty())
        throw Error("texts with revisions on both sides", "at least one", "none of " + std::to_string(originals));
    for (auto& [id, item] : both) {
        joined.empty_a += is_empty_text(item.a) ? 1 : 0;
        joined.empty_b += is_empty_text(item.b) ? 1 : 0;
        joined.items.push_back(std::move(item));
    }
    return joined;
}

}  // namespace craft
