#include "view/tree_page.h"

#include <map>
#include <set>
#include <vector>

#include "view/record_parts.h"

namespace craft {

namespace {

constexpr int kMostDepth = 100;  // of what is shown; a tree of ours has some ten levels

struct TreeNode {
    int64_t id = 0, parent = -1;
    std::optional<double> reward;
    const Json* row = nullptr;
};

class TreeOutline {
public:
    TreeOutline(PageWriter& page, const Json& nodes) : page_(page) {
        for (const Json& row : nodes) {
            RecordFields fields(row);
            TreeNode node;
            node.id = static_cast<int64_t>(fields.number("id").value_or(-1));
            node.parent = static_cast<int64_t>(fields.number("parent").value_or(-1));
            node.reward = fields.number("reward");
            node.row = &row;
            if (nodes_.contains(node.id)) continue;  // one of two with one id
            nodes_[node.id] = node;
            children_[node.parent].push_back(node.id);
            if (node.reward && (!best_ || *node.reward > *nodes_.at(*best_).reward)) best_ = node.id;
        }
        std::set<int64_t> seen;
        for (std::optional<int64_t> at = best_; at && nodes_.contains(*at) && seen.insert(*at).second;
             at = nodes_.at(*at).parent)
            way_.insert(*at);
    }

    void write() {
        write_children(-1, 0);
        if (written_ < nodes_.size())
            page_.line({{std::to_string(nodes_.size() - written_) + " nodes hang at no root", Tone::bad}});
        if (!best_) return;
        page_.blank();
        page_.title("best node " + std::to_string(*best_));
        page_.shift(2);
        RecordFields fields(*nodes_.at(*best_).row);
        RecordFields payload(fields.object("payload"));
        if (const auto response = payload.text("response")) write_response(page_, *response, std::nullopt, std::nullopt);
        write_conditions(page_, payload.list("conditions"));
        write_revision(page_, root_text(), fields.text("revision").value_or(""));
        page_.shift(-2);
    }

private:
    std::optional<std::string> root_text() const {
        const auto root = children_.find(-1);
        if (root == children_.end()) return std::nullopt;
        RecordFields fields(*nodes_.at(root->second.front()).row);
        return fields.text("revision");
    }

    void write_children(int64_t parent, int depth) {
        const auto found = children_.find(parent);
        if (found == children_.end() || depth > kMostDepth) return;
        for (const int64_t id : found->second) {
            write_node(nodes_.at(id));
            page_.shift(2);
            if (id != parent) write_children(id, depth + 1);
            page_.shift(-2);
        }
    }

    void write_node(const TreeNode& node) {
        ++written_;
        RecordFields fields(*node.row);
        const bool is_best = best_ && node.id == *best_;
        StyledText line = {{std::to_string(node.id), way_.contains(node.id) ? Tone::title : Tone::plain}};
        const auto add = [&](const char* name, const char* field) {
            if (const auto value = fields.number(field))
                line.push_back({std::string("  ") + name + " " + shown_number(*value), Tone::plain});
        };
        add("N", "visits");
        add("V", "value");
        add("R", "reward");
        if (node.reward) {
            const auto r_g = fields.number("r_g"), r_c = fields.number("r_c");
            if (r_g && r_c) line.push_back({" = " + shown_number(*r_g) + " + " + shown_number(*r_c), Tone::quiet});
        }
        if (is_best) line.push_back({"  best", Tone::good});
        if (const auto failure = fields.text("failure")) line.push_back({"  failed: " + *failure, Tone::bad});
        if (const Json& merged = fields.list("merged"); !merged.empty())
            line.push_back({"  " + std::to_string(merged.size()) + " merged", Tone::quiet});
        RecordFields payload(fields.object("payload"));
        size_t met = 0;
        const Json& conditions = payload.list("conditions");
        for (const Json& one : conditions) {
            RecordFields condition(one);
            const Json& is_met = condition.any("met");
            met += is_met.is_boolean() && is_met.get<bool>() ? 1 : 0;
        }
        if (!conditions.empty())
            line.push_back({"  " + std::to_string(met) + " of " + std::to_string(conditions.size()) + " met",
                            met == conditions.size() ? Tone::good : Tone::bad});
        page_.line(std::move(line), 4);
    }

    PageWriter& page_;
    std::map<int64_t, TreeNode> nodes_;
    std::map<int64_t, std::vector<int64_t>> children_;
    std::optional<int64_t> best_;
    std::set<int64_t> way_;
    size_t written_ = 0;
};

}  // namespace

void write_tree(PageWriter& page, RecordFields& fields) {
    if (const auto iterations = fields.number("iterations")) page.field("iterations", shown_number(*iterations));
    if (const Json& diverted = fields.list("diverted"); !diverted.empty()) page.field("diverted", dump_line(diverted));
    if (const Json& options = fields.object("options"); !options.empty()) page.field("options", dump_line(options));
    page.blank();
    TreeOutline(page, fields.list("nodes")).write();
    fields.skip("format");
}

}  // namespace craft
