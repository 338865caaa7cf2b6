#include "rollout/tree/leaf_choice.h"

#include <cmath>
#include <optional>

namespace craft {

namespace {

class LeafChooser {
public:
    explicit LeafChooser(const SearchTree& tree)
        : tree_(tree), losses_(tree.nodes().size(), 0), chosen_(tree.nodes().size(), 0) {}

    std::optional<LeafChoice> next() {
        const std::vector<char> promising = nodes_above_open_ones();
        if (promising[0] == 0) return std::nullopt;
        const std::vector<char> all(promising.size(), 1);
        const bool diverted = !tree_.is_open(tree_.node(descend(all)));
        const int64_t leaf = descend(promising);
        chosen_[static_cast<size_t>(leaf)] = 1;
        add_virtual_loss(leaf);
        return LeafChoice{leaf, diverted};
    }

private:
    // For each node whether it, or a node below it, is open and not yet chosen. Children come after their parents.
    std::vector<char> nodes_above_open_ones() const {
        const std::vector<Node>& nodes = tree_.nodes();
        std::vector<char> above(nodes.size(), 0);
        for (size_t i = nodes.size(); i-- > 0;) {
            if (tree_.is_open(nodes[i]) && chosen_[i] == 0) above[i] = 1;
            if (above[i] != 0) above[static_cast<size_t>(nodes[i].parent)] = 1;
        }
        return above;
    }

    int64_t descend(const std::vector<char>& allowed) const {
        int64_t at = 0;
        while (const std::optional<int64_t> child = best_child(tree_.node(at), allowed)) at = *child;
        return at;
    }

    std::optional<int64_t> best_child(const Node& parent, const std::vector<char>& allowed) const {
        std::optional<int64_t> best;
        double highest = 0;
        for (const int64_t child : parent.children) {
            if (tree_.node(child).failed() || allowed[static_cast<size_t>(child)] == 0) continue;
            const double score = uct(tree_.node(child).total, visits(child), visits(parent.id), tree_.options().explore);
            if (best && score <= highest) continue;
            best = child;
            highest = score;
        }
        return best;
    }

    int64_t visits(int64_t id) const { return tree_.node(id).visits + losses_[static_cast<size_t>(id)]; }

    void add_virtual_loss(int64_t leaf) {
        for (int64_t at = leaf;; at = tree_.node(at).parent) {
            ++losses_[static_cast<size_t>(at)];
            if (at == 0) return;
        }
    }

    const SearchTree& tree_;
    std::vector<int64_t> losses_;  // virtual losses of each node
    std::vector<char> chosen_;
};

}  // namespace

double uct(double total, int64_t visits, int64_t parent_visits, double explore) {
    const double n = static_cast<double>(visits);
    return total / n + explore * std::sqrt(std::log(static_cast<double>(parent_visits)) / n);
}

std::vector<LeafChoice> choose_leaves(const SearchTree& tree, int64_t count) {
    std::vector<LeafChoice> choices;
    LeafChooser chooser(tree);
    while (static_cast<int64_t>(choices.size()) < count) {
        const std::optional<LeafChoice> choice = chooser.next();
        if (!choice) break;
        choices.push_back(*choice);
    }
    return choices;
}

}  // namespace craft
