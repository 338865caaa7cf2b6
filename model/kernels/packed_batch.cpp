#include "model/kernels/packed_batch.h"

#include <torch/types.h>

#include <algorithm>

#include "core/error.h"

namespace craft {

namespace {

// Columns of the batch while it grows.
struct Columns {
    std::vector<int64_t> tokens, positions, target_rows, targets, target_branch;
    std::vector<Segment> segments;

    int64_t size() const { return static_cast<int64_t>(tokens.size()); }

    Segment append(const std::vector<int64_t>& row, int64_t first_position) {
        Segment segment;
        segment.begin = size();
        tokens.insert(tokens.end(), row.begin(), row.end());
        for (size_t i = 0; i < row.size(); ++i) positions.push_back(first_position + static_cast<int64_t>(i));
        segment.end = size();
        return segment;
    }
};

// `prefix` is the segment of the tree's prefix and of the branch's first `common` tokens.
void append_branch(Columns& columns, const MaskedTokens& branch, const Segment& prefix, int64_t common, int64_t number,
                   const std::string& where) {
    if (branch.counted.size() != branch.tokens.size())
        throw Error(where, "a mask of " + std::to_string(branch.tokens.size()) + " flags",
                    std::to_string(branch.counted.size()));
    const int64_t path = prefix.end - prefix.begin;
    Segment segment = columns.append({branch.tokens.begin() + common, branch.tokens.end()}, path);
    segment.branch = number;
    if (path > 0) {
        segment.prefix_begin = prefix.begin;
        segment.prefix_end = prefix.end;
        segment.source_end = prefix.source_end;
    }
    if (segment.end > segment.begin) columns.segments.push_back(segment);
    for (size_t i = 0; i < branch.tokens.size(); ++i) {
        if (branch.counted[i] == 0) continue;
        const int64_t behind = static_cast<int64_t>(i) - common;  // of the branch's first own token
        if (behind <= 0 && path + behind == 0)
            throw Error(where, "a token before every counted token", "a counted first token");
        columns.target_rows.push_back((behind <= 0 ? prefix.end : segment.begin) + behind - 1);
        columns.targets.push_back(branch.tokens[i]);
        columns.target_branch.push_back(number);
    }
}

}  // namespace

int64_t TokenTree::common() const {
    if (branches.size() < 2) return 0;
    const std::vector<int64_t>& first = branches[0].tokens;
    auto end = first.end();
    for (const MaskedTokens& branch : branches) {
        if (first.empty() || branch.tokens.empty()) return 0;
        const auto own = std::min(first.size(), branch.tokens.size()) - 1;
        end = std::mismatch(first.begin(), std::min(end, first.begin() + static_cast<std::ptrdiff_t>(own)),
                            branch.tokens.begin())
                  .first;
    }
    return end - first.begin();
}

int64_t TokenTree::size() const {
    const int64_t common_tokens = common();
    auto total = static_cast<int64_t>(prefix.size()) + common_tokens;
    for (const MaskedTokens& branch : branches) total += static_cast<int64_t>(branch.tokens.size()) - common_tokens;
    return total;
}

PackedBatch pack(const std::vector<TokenTree>& trees, const at::Device& device) {
    Columns columns;
    PackedBatch batch;
    for (size_t i = 0; i < trees.size(); ++i) {
        const std::string where = "token tree " + std::to_string(i);
        if (trees[i].branches.empty()) throw Error(where, "at least one branch", "none");
        const std::vector<int64_t>& first = trees[i].branches.front().tokens;
        const int64_t common = trees[i].common();
        Segment prefix = columns.append(trees[i].prefix, 0);
        prefix.source_end = prefix.end;
        prefix.end = columns.append({first.begin(), first.begin() + common}, prefix.end - prefix.begin).end;
        if (prefix.end > prefix.begin) columns.segments.push_back(prefix);
        for (const MaskedTokens& branch : trees[i].branches)
            append_branch(columns, branch, prefix, common, batch.branches++, where);
    }
    const auto column = [&](const std::vector<int64_t>& values) { return at::tensor(values, at::kLong).to(device); };
    batch.tokens = column(columns.tokens);
    batch.positions = column(columns.positions);
    batch.target_rows = column(columns.target_rows);
    batch.targets = column(columns.targets);
    batch.target_branch = column(columns.target_branch);
    batch.segments = std::move(columns.segments);
    return batch;
}

std::vector<std::pair<size_t, size_t>> cut_by_tokens(const std::vector<int64_t>& sizes, int64_t budget) {
    std::vector<std::pair<size_t, size_t>> cuts;
    size_t begin = 0;
    int64_t held = 0;
    for (size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] > budget)
            throw Error("token tree " + std::to_string(i), "at most " + std::to_string(budget) + " tokens",
                        std::to_string(sizes[i]), "raise --micro-batch-tokens or lower --max-length");
        if (i > begin && held + sizes[i] > budget) {
            cuts.emplace_back(begin, i);
            begin = i;
            held = 0;
        }
        held += sizes[i];
    }
    if (begin < sizes.size()) cuts.emplace_back(begin, sizes.size());
    return cuts;
}

}  // namespace craft
