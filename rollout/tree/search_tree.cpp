#include "rollout/tree/search_tree.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/utf8.h"

namespace craft {

namespace {

// Of R_g + R_c: nothing can be better than a revision that has it.
constexpr double kHighestReward = 2;

std::string node_name(int64_t id) {
    return "search tree: node " + std::to_string(id);
}

void check_share(double share, const std::string& where, const char* name) {
    if (share >= 0 && share <= 1) return;
    throw Error(where + ": " + name, "a number from 0 to 1", Json(share).dump());
}

void check_text(const std::string& text, const std::string& where) {
    if (const size_t bad = invalid_utf8_at(text); bad != std::string::npos)
        throw Error(where, "a text in UTF-8", "other bytes at " + std::to_string(bad + 1));
}

}  // namespace

double reward(const Node& node, const SearchOptions& options) {
    return (options.use_quality ? node.r_g : 0) + (options.use_constraints ? node.r_c : 0);
}

SearchTree::SearchTree(std::string text, Json payload, const SearchOptions& options) : options_(options) {
    std::vector<std::string> problems;
    for (const FieldProblem& problem : search_problems(options)) problems.push_back(problem.line());
    if (!problems.empty()) throw UsageError(problems);
    check_text(text, node_name(0));
    Node root;
    root.revision = std::move(text);
    root.payload = std::move(payload);
    nodes_.push_back(std::move(root));
}

bool SearchTree::is_open(const Node& node) const {
    return node.children.empty() && !node.failed() && node.depth < options_.depth && reward(node) < kHighestReward;
}

std::optional<int64_t> SearchTree::best() const {
    std::optional<int64_t> best;
    for (const Node& one : nodes_) {
        if (one.is_root() || one.failed()) continue;
        if (!best || reward(one) > reward(node(*best))) best = one.id;
    }
    return best;
}

std::vector<double> SearchTree::best_by_iteration() const {
    std::vector<double> best(static_cast<size_t>(iterations_), 0.0);
    double highest = 0;
    size_t filled = 0;
    for (const Node& one : nodes_) {  // in the order of iterations
        for (; filled + 1 < static_cast<size_t>(one.iteration); ++filled) best[filled] = highest;
        highest = std::max(highest, reward(one));
    }
    for (; filled < best.size(); ++filled) best[filled] = highest;
    return best;
}

SearchCounts SearchTree::counts() const {
    SearchCounts counts;
    counts.iterations = iterations_;
    counts.diverted = static_cast<int64_t>(diverted_.size());
    for (const Node& one : nodes_) {
        counts.merged += static_cast<int64_t>(one.merged.size());
        counts.failed += one.failed() ? 1 : 0;
        counts.evaluated += one.failed() || one.is_root() ? 0 : 1;
    }
    return counts;
}

void SearchTree::check_candidates(int64_t leaf, const std::vector<ChildCandidate>& candidates) const {
    if (leaf < 0 || leaf >= static_cast<int64_t>(nodes_.size()) || !is_open(node(leaf)))
        throw Error("search tree", "a node that may be expanded", "node " + std::to_string(leaf));
    const std::string where = "search tree: children of node " + std::to_string(leaf);
    if (static_cast<int64_t>(candidates.size()) != options_.children)
        throw Error(where, std::to_string(options_.children), std::to_string(candidates.size()));
    for (const ChildCandidate& candidate : candidates) {
        check_text(candidate.revision, where + ": revision");
        check_text(candidate.failure, where + ": failure");
        if (!candidate.failure.empty()) continue;
        check_share(candidate.r_g, where, "R_g");
        check_share(candidate.r_c, where, "R_c");
    }
}

void SearchTree::add_children(int64_t leaf, const std::vector<ChildCandidate>& candidates, bool diverted) {
    check_candidates(leaf, candidates);
    ++iterations_;
    if (diverted) diverted_.push_back(iterations_);
    for (const ChildCandidate& candidate : candidates) add_child(leaf, candidate);
}

void SearchTree::add_child(int64_t leaf, const ChildCandidate& candidate) {
    const bool failed = !candidate.failure.empty();
    if (!failed)
        for (const int64_t sibling : node(leaf).children) {
            Node& other = nodes_[static_cast<size_t>(sibling)];
            if (other.failed() || other.revision != candidate.revision) continue;
            other.merged.push_back(candidate.payload);
            return;
        }
    Node child;
    child.id = static_cast<int64_t>(nodes_.size());
    child.parent = leaf;
    child.depth = node(leaf).depth + 1;
    child.iteration = iterations_;
    child.revision = candidate.revision;
    child.failure = candidate.failure;
    child.payload = candidate.payload;
    if (!failed) {
        child.r_g = candidate.r_g;
        child.r_c = candidate.r_c;
    }
    const double own = reward(child);
    nodes_[static_cast<size_t>(leaf)].children.push_back(child.id);
    nodes_.push_back(std::move(child));
    if (!failed) back_up(nodes_.back().id, own);
}

void SearchTree::back_up(int64_t from, double own) {
    for (int64_t at = from;; at = node(at).parent) {
        Node& visited = nodes_[static_cast<size_t>(at)];
        ++visited.visits;
        visited.total += own;
        if (visited.is_root()) return;
    }
}

void SearchTree::check_invariants() const {
    craft::check_invariants(nodes_, options_);
}

void check_invariants(const std::vector<Node>& nodes, const SearchOptions& options) {
    // From below, so that the node is named whose own numbers are wrong, and not the one above it.
    for (size_t i = nodes.size(); i-- > 0;) {
        const Node& one = nodes[i];
        int64_t visits = one.is_root() || one.failed() ? 0 : 1;
        double total = visits == 1 ? reward(one, options) : 0;
        for (const int64_t child : one.children) {
            visits += nodes.at(static_cast<size_t>(child)).visits;
            total += nodes.at(static_cast<size_t>(child)).total;
        }
        if (one.visits != visits) throw Error(node_name(one.id) + ": N", std::to_string(visits), std::to_string(one.visits));
        // Rewards are added in another order here, so that the last bits may differ.
        if (!(std::abs(one.total - total) <= 1e-9 * static_cast<double>(visits + 1)))
            throw Error(node_name(one.id) + ": sum of rewards", Json(total).dump(), Json(one.total).dump());
    }
}

}  // namespace craft
