#include "english/parse_tree.h"

#include <algorithm>

namespace craft {

namespace {

// The first and last word below each word, itself included.
struct Edges {
    std::vector<int> left, right;
};

void widen(Edges& edges, int child, int head) {
    const auto from = static_cast<size_t>(child);
    const auto to = static_cast<size_t>(head);
    edges.left[to] = std::min(edges.left[to], edges.left[from]);
    edges.right[to] = std::max(edges.right[to], edges.right[from]);
}

// Whether no word's head lies in another sentence, as far as the edges say where sentences start. The last word of the text
// is not looked at, as in spaCy.
bool heads_within_sentences(const std::vector<int>& heads, const Edges& edges) {
    const auto words = static_cast<int>(heads.size());
    std::vector<bool> starts(heads.size());
    for (int i = 0; i < words; ++i)
        if (heads[static_cast<size_t>(i)] == i) starts[static_cast<size_t>(edges.left[static_cast<size_t>(i)])] = true;
    int start = 0;
    for (int i = 0; i < words; ++i) {
        if (!(i > 0 && starts[static_cast<size_t>(i)]) && i != words - 1) continue;
        for (int j = start; j < i; ++j) {
            const int head = heads[static_cast<size_t>(j)];
            if (head < start || head > i) return false;
        }
        start = i;
    }
    return true;
}

// Arcs that cross others need several passes; spaCy gives up after eleven more.
Edges find_edges(const std::vector<int>& heads) {
    constexpr int kMaxPasses = 12;
    const auto words = static_cast<int>(heads.size());
    Edges edges;
    for (int i = 0; i < words; ++i) {
        edges.left.push_back(i);
        edges.right.push_back(i);
    }
    for (int pass = 0; pass < kMaxPasses; ++pass) {
        for (int i = 0; i < words; ++i) widen(edges, i, heads[static_cast<size_t>(i)]);
        for (int i = words - 1; i >= 0; --i) widen(edges, i, heads[static_cast<size_t>(i)]);
        if (heads_within_sentences(heads, edges)) break;
    }
    return edges;
}

// Level by level below `head`, from left to right; `head` itself if no word there has the label. spaCy looks for children
// between the edges that were found before any word was attached elsewhere.
int word_below(const ParseTree& tree, const Edges& edges, const std::vector<bool>& is_space, int word,
               const std::string& label) {
    const int head = tree.heads[static_cast<size_t>(word)];
    std::vector<int> level = {head};
    std::vector<bool> seen(tree.heads.size());
    while (!level.empty()) {
        std::vector<int> next;
        for (const int parent : level) {
            if (seen[static_cast<size_t>(parent)]) continue;  // words attached elsewhere may have made a circle
            seen[static_cast<size_t>(parent)] = true;
            for (int child = edges.left[static_cast<size_t>(parent)]; child <= edges.right[static_cast<size_t>(parent)];
                 ++child) {
                const auto index = static_cast<size_t>(child);
                if (tree.heads[index] != parent || child == parent || child == word || is_space[index]) continue;
                if (tree.labels[index] == label) return child;
                next.push_back(child);
            }
        }
        level = std::move(next);
    }
    return head;
}

}  // namespace

void finish_tree(ParseTree& tree, const std::vector<bool>& is_space) {
    const std::string bars = "||";
    Edges edges = find_edges(tree.heads);
    bool changed = false;
    for (size_t i = 0; i < tree.heads.size(); ++i) {
        const size_t at = tree.labels[i].find(bars);
        if (at == std::string::npos) continue;
        tree.heads[i] = word_below(tree, edges, is_space, static_cast<int>(i), tree.labels[i].substr(at + bars.size()));
        tree.labels[i].resize(at);
        changed = true;
    }
    if (changed) edges = find_edges(tree.heads);
    tree.sentence_starts.assign(tree.heads.size(), false);
    for (size_t i = 0; i < tree.heads.size(); ++i)
        if (tree.heads[i] == static_cast<int>(i)) tree.sentence_starts[static_cast<size_t>(edges.left[i])] = true;
}

}  // namespace craft
