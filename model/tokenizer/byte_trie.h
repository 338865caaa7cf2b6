// Spellings by their bytes, for finding those that a text starts with. Inside model/tokenizer/ only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace craft {

class ByteTrie {
public:
    ByteTrie() = default;
    // Of equal spellings the last one counts; empty ones are left out.
    explicit ByteTrie(std::vector<std::pair<std::string, int64_t>> spellings);
    bool empty() const { return nodes_.size() < 2; }
    bool starts_one(unsigned char byte) const { return !empty() && root_[byte] != 0; }

    // Calls found(length in bytes, value) for every spelling that `text` starts with, the shortest first.
    template <class Found>
    void prefixes(std::string_view text, Found found) const {
        if (empty() || text.empty()) return;
        uint32_t node = root_[static_cast<unsigned char>(text[0])];
        for (size_t length = 1; node != 0; ++length) {
            if (nodes_[node].value >= 0) found(length, nodes_[node].value);
            if (length == text.size()) return;
            node = child(node, static_cast<unsigned char>(text[length]));
        }
    }

private:
    struct Node {
        int64_t value = -1;
        uint32_t first = 0, last = 0;  // its children are edges_[first, last), ascending by byte
    };
    struct Edge {
        unsigned char byte = 0;
        uint32_t node = 0;
    };
    uint32_t child(uint32_t node, unsigned char byte) const;
    std::vector<Node> nodes_;  // nodes_[0] is no node
    std::vector<Edge> edges_;
    uint32_t root_[256] = {};
};

}  // namespace craft
