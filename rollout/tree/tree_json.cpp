#include "rollout/tree/tree_json.h"

#include <cmath>
#include <set>
#include <utility>

#include "rollout/tree/tree_fields.h"

namespace craft {

namespace {

constexpr int64_t kTreeFormat = 1;

Json node_to_json(const SearchTree& tree, const Node& node) {
    Json row = {{"id", node.id}};
    if (!node.is_root()) row["parent"] = node.parent;
    row["depth"] = node.depth;
    if (!node.is_root()) row["iteration"] = node.iteration;
    row["visits"] = node.visits;
    row["value"] = node.value();
    if (node.failed()) {
        row["failure"] = node.failure;
    } else if (!node.is_root()) {
        row["r_g"] = node.r_g;
        row["r_c"] = node.r_c;
        row["reward"] = tree.reward(node);
        row["merged"] = node.merged;
    }
    row["revision"] = node.revision;
    row["payload"] = node.payload;
    return row;
}

// A row of "nodes" as it stands there.
struct StoredNode {
    Node node;
    double value = 0, reward = 0;
    std::string where;

    ChildCandidate candidate() const { return {node.revision, node.r_g, node.r_c, node.failure, node.payload}; }
};

void read_reward(TreeFields& fields, StoredNode& stored) {
    fields.read("r_g", stored.node.r_g);
    fields.read("r_c", stored.node.r_c);
    fields.read("reward", stored.reward);
    for (const Json& payload : fields.list("merged")) stored.node.merged.push_back(payload);
}

StoredNode read_node(const Json& row, bool is_root, const std::string& where) {
    StoredNode stored;
    stored.where = where;
    Node& node = stored.node;
    TreeFields fields(row, where);
    fields.read("id", node.id);
    fields.read("depth", node.depth);
    fields.read("visits", node.visits);
    fields.read("value", stored.value);
    fields.read("revision", node.revision);
    fields.read("payload", node.payload);
    if (!is_root) {
        fields.read("parent", node.parent);
        fields.read("iteration", node.iteration);
        if (fields.has("failure")) {
            fields.read("failure", node.failure);
            if (node.failure.empty()) fields.fail("failure", "a reason", "none");
        } else {
            read_reward(fields, stored);
        }
    }
    fields.finish();
    return stored;
}

// One iteration of the file: the rows from `first` on that were made in it. Returns where the next one begins.
size_t replay_iteration(SearchTree& tree, const std::vector<StoredNode>& rows, size_t first,
                        const std::set<int64_t>& diverted) {
    const Node& leader = rows[first].node;
    const int64_t iteration = tree.iterations() + 1;
    if (leader.iteration != iteration)
        throw Error(rows[first].where + ": field 'iteration'", std::to_string(iteration), std::to_string(leader.iteration));
    std::vector<ChildCandidate> candidates;
    size_t end = first;
    for (; end < rows.size() && rows[end].node.iteration == iteration; ++end) {
        const StoredNode& row = rows[end];
        if (row.node.parent != leader.parent)
            throw Error(row.where + ": field 'parent'", std::to_string(leader.parent), std::to_string(row.node.parent));
        candidates.push_back(row.candidate());
        for (const Json& payload : row.node.merged) {
            candidates.push_back(row.candidate());
            candidates.back().payload = payload;
        }
    }
    try {
        tree.add_children(leader.parent, candidates, diverted.contains(iteration));
    } catch (const Error& error) {
        throw Error(rows[first].where + ": " + error.what());
    }
    if (tree.nodes().size() != end)
        throw Error(rows[first].where, "siblings with different revisions", "equal ones", "equal ones are merged");
    return end;
}

void check_same(const StoredNode& stored, const char* name, double expected, double got) {
    // Means that another program wrote may differ in their last digits.
    if (std::abs(expected - got) <= 1e-9) return;
    throw Error(stored.where + ": field '" + name + "'", Json(expected).dump(), Json(got).dump());
}

void check_stated(const SearchTree& tree, const Node& built, const StoredNode& stored) {
    const auto same = [&](const char* name, int64_t expected, int64_t got) {
        if (expected != got)
            throw Error(stored.where + ": field '" + name + "'", std::to_string(expected), std::to_string(got));
    };
    same("id", built.id, stored.node.id);
    same("depth", built.depth, stored.node.depth);
    same("visits", built.visits, stored.node.visits);
    check_same(stored, "value", built.value(), stored.value);
    check_same(stored, "reward", tree.reward(built), stored.reward);
}

std::vector<StoredNode> read_nodes(const Json& list, const std::string& where) {
    std::vector<StoredNode> rows;
    for (const Json& row : list)
        rows.push_back(read_node(row, rows.empty(), where + ": nodes[" + std::to_string(rows.size()) + "]"));
    if (rows.empty()) throw Error(where + ": field 'nodes'", "at least the root", "none");
    return rows;
}

}  // namespace

Json to_json(const SearchTree& tree) {
    Json nodes = Json::array();
    for (const Node& node : tree.nodes()) nodes.push_back(node_to_json(tree, node));
    return {{"format", kTreeFormat},
            {"options", to_json(tree.options())},
            {"iterations", tree.iterations()},
            {"diverted", tree.diverted()},
            {"nodes", std::move(nodes)}};
}

SearchTree search_tree_from_json(const Json& object, const std::string& where) {
    TreeFields fields(object, where);
    int64_t format = 0, iterations = 0;
    Json options;
    fields.read("format", format);
    if (format != kTreeFormat) fields.fail("format", std::to_string(kTreeFormat), std::to_string(format));
    fields.read("options", options);
    fields.read("iterations", iterations);
    const std::vector<int64_t> diverted = fields.numbers("diverted");
    const std::vector<StoredNode> rows = read_nodes(fields.list("nodes"), where);
    fields.finish();

    const Node& root = rows.front().node;
    SearchTree tree(root.revision, root.payload, search_options_from_json(options, where + ": options"));
    const std::set<int64_t> diverted_set(diverted.begin(), diverted.end());
    for (size_t next = 1; next < rows.size();) next = replay_iteration(tree, rows, next, diverted_set);
    if (tree.iterations() != iterations)
        fields.fail("iterations", std::to_string(tree.iterations()), std::to_string(iterations));
    if (iterations > tree.options().iterations)
        fields.fail("iterations", "at most those of the options", std::to_string(iterations));
    if (tree.diverted() != diverted) fields.fail("diverted", "iterations in rising order", "others");
    for (size_t i = 0; i < rows.size(); ++i) check_stated(tree, tree.nodes()[i], rows[i]);
    return tree;
}

}  // namespace craft
