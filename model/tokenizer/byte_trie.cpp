#include "model/tokenizer/byte_trie.h"

#include <algorithm>

namespace craft {

ByteTrie::ByteTrie(std::vector<std::pair<std::string, int64_t>> spellings) {
    std::stable_sort(spellings.begin(), spellings.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    struct Range {
        size_t begin, end, depth;
        uint32_t node;
    };
    nodes_.resize(2);  // no node, the root
    std::vector<Range> open = {{0, spellings.size(), 0, 1}};
    // Breadth first, so that the children of a node stand together.
    for (size_t next = 0; next < open.size(); ++next) {
        const Range range = open[next];
        nodes_[range.node].first = static_cast<uint32_t>(edges_.size());
        size_t i = range.begin;
        for (; i < range.end && spellings[i].first.size() == range.depth; ++i)
            if (range.depth > 0) nodes_[range.node].value = spellings[i].second;
        while (i < range.end) {
            const char byte = spellings[i].first[range.depth];
            size_t end = i;
            while (end < range.end && spellings[end].first[range.depth] == byte) ++end;
            const auto node = static_cast<uint32_t>(nodes_.size());
            nodes_.emplace_back();
            edges_.push_back({static_cast<unsigned char>(byte), node});
            open.push_back({i, end, range.depth + 1, node});
            i = end;
        }
        nodes_[range.node].last = static_cast<uint32_t>(edges_.size());
    }
    for (uint32_t e = nodes_[1].first; e < nodes_[1].last; ++e) root_[edges_[e].byte] = edges_[e].node;
    if (edges_.empty()) nodes_.clear();
}

uint32_t ByteTrie::child(uint32_t node, unsigned char byte) const {
    const auto begin = edges_.begin() + nodes_[node].first, end = edges_.begin() + nodes_[node].last;
    const auto found = std::lower_bound(begin, end, byte, [](const Edge& edge, unsigned char b) { return edge.byte < b; });
    return found == end || found->byte != byte ? 0 : found->node;
}

}  // namespace craft
