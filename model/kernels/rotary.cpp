#include "model/kernels/rotary.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace craft {

namespace {

constexpr double kPi = 3.14159265358979323846;

int64_t path_length(const Segment& s) {
    return s.prefix_end - s.prefix_begin + s.end - s.begin;
}

// Low frequencies are divided by the factor, high ones stay, those between are blended (Llama 3.1).
at::Tensor llama3_frequencies(const RopeConfig& rope, const at::Tensor& plain) {
    const auto length = static_cast<double>(rope.original_positions);
    const at::Tensor wavelengths = plain.reciprocal() * (2 * kPi);
    const at::Tensor smooth =
        (wavelengths.reciprocal() * length - rope.low_frequency) / (rope.high_frequency - rope.low_frequency);
    const at::Tensor blended = (1 - smooth) * plain / rope.factor + smooth * plain;
    const at::Tensor is_low = wavelengths > length / rope.low_frequency,
                     is_high = wavelengths < length / rope.high_frequency;
    return at::where(is_low, plain / rope.factor, at::where(is_high, plain, blended));
}

// Pairs that turn often within the trained length stay, those that turn less than once are divided by the factor, and
// between both their share falls from pair to pair (YaRN, Peng et al. 2023, eq. 23; in the order of transformers'
// operations).
at::Tensor yarn_frequencies(const RopeConfig& rope, int64_t dims, double theta) {
    const auto pair_of = [&](double turns) {
        return static_cast<double>(dims) * std::log(static_cast<double>(rope.original_positions) / (turns * 2 * kPi)) /
               (2 * std::log(theta));
    };
    double low = pair_of(rope.fast_turns), high = pair_of(rope.slow_turns);
    if (rope.whole_bounds) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, static_cast<double>(dims - 1));
    if (low == high) high += 0.001;
    const at::Tensor powers = at::pow(theta, at::arange(0, dims, 2, at::kFloat).div_(static_cast<double>(dims)));
    const at::Tensor kept = 1 - ((at::arange(dims / 2, at::kFloat) - low) / (high - low)).clamp(0, 1);
    return (powers * rope.factor).reciprocal() * (1 - kept) + powers.reciprocal() * kept;
}

// Trees of a batch as ranges of segments: a prefix and the branches that read it.
struct Tree {
    size_t first = 0, last = 0;
};
std::vector<Tree> trees_of(const std::vector<Segment>& segments) {
    std::vector<Tree> trees;
    for (size_t i = 0; i < segments.size(); ++i) {
        const Segment& s = segments[i];
        const bool joins =
            s.prefix_end > s.prefix_begin && !trees.empty() && s.prefix_begin == segments[trees.back().first].begin;
        if (!joins) trees.push_back({i, i});
        trees.back().last = i + 1;
    }
    return trees;
}

// The regime of a tree's paths; -1 if they differ. A prefix that has branches is no path of its own.
int64_t tree_regime(const DecoderConfig& config, const std::vector<Segment>& segments, const Tree& tree) {
    const bool has_branches = tree.last > tree.first + 1;
    int64_t regime = -1;
    for (size_t i = tree.first + (has_branches ? 1 : 0); i < tree.last; ++i) {
        const int64_t one = rotary_regime(config, path_length(segments[i]));
        if (regime >= 0 && one != regime) return -1;
        regime = one;
    }
    return regime;
}

bool depends_on_length(const DecoderConfig& config) {
    return config.rope.kind == RopeKind::dynamic || config.rope.kind == RopeKind::longrope;
}

}  // namespace

at::Tensor plain_frequencies(int64_t dims, double theta) {
    const at::Tensor exponents = at::arange(0, dims, 2, at::kFloat).div_(static_cast<double>(dims));
    return at::pow(theta, exponents).reciprocal_();
}

int64_t rotary_regime(const DecoderConfig& config, int64_t length) {
    if (config.rope.kind == RopeKind::dynamic) return std::max(length, config.rope.original_positions);
    return config.rope.kind == RopeKind::longrope && length > config.rope.original_positions ? 1 : 0;
}

at::Tensor rotary_frequencies(const DecoderConfig& config, int64_t length) {
    const RopeConfig& rope = config.rope;
    const int64_t dims = rope.dims > 0 ? rope.dims : config.head_dim;
    switch (rope.kind) {
        case RopeKind::none:
            return at::empty({0}, at::kFloat);
        case RopeKind::plain:
            return plain_frequencies(dims, config.rope_theta);
        case RopeKind::linear:
            return plain_frequencies(dims, config.rope_theta).div_(rope.factor);
        case RopeKind::llama3:
            return llama3_frequencies(rope, plain_frequencies(dims, config.rope_theta));
        case RopeKind::yarn:
            return yarn_frequencies(rope, dims, config.rope_theta);
        case RopeKind::dynamic: {
            const auto trained = static_cast<double>(rope.original_positions);
            const double ratio = static_cast<double>(std::max(length, rope.original_positions)) / trained;
            const double power = static_cast<double>(dims) / static_cast<double>(dims - 2);
            return plain_frequencies(dims, config.rope_theta * std::pow(rope.factor * ratio - (rope.factor - 1), power));
        }
        case RopeKind::longrope: {
            const auto& factors = length > rope.original_positions ? rope.long_factors : rope.short_factors;
            const at::Tensor divisors = at::tensor(factors, at::kDouble).to(at::kFloat);
            const at::Tensor exponents = at::arange(0, dims, 2, at::kFloat).div_(static_cast<double>(dims));
            return (divisors * at::pow(config.rope_theta, exponents)).reciprocal_();
        }
    }
    throw Error("rotary positions", "a known kind", std::to_string(static_cast<int>(rope.kind)));
}

RotaryTable rotary_table(const at::Tensor& positions, const at::Tensor& frequencies, double factor, at::ScalarType dtype) {
    const at::Tensor angles = at::outer(positions.to(at::kFloat), frequencies.to(positions.device()));
    const at::ScalarType math = dtype == at::kDouble ? at::kDouble : at::kFloat;
    at::Tensor cos = angles.cos(), sin = angles.sin();
    if (factor != 1) {
        cos.mul_(factor);
        sin.mul_(factor);
    }
    return {cos.to(math), sin.to(math)};
}

RotaryTable rotary_table(const DecoderConfig& config, const PackedBatch& batch, at::ScalarType dtype) {
    const double factor = config.rope.attention_factor;
    if (!depends_on_length(config)) return rotary_table(batch.positions, rotary_frequencies(config, 1), factor, dtype);
    std::vector<at::Tensor> cos, sin;
    for (const Tree& tree : trees_of(batch.segments)) {
        const int64_t begin = batch.segments[tree.first].begin, end = batch.segments[tree.last - 1].end;
        if (tree_regime(config, batch.segments, tree) < 0)
            throw Error("a tree of tokens",
                        "branches that are all within, or all beyond, the length of " +
                            std::to_string(config.rope.original_positions) + " tokens before scaling",
                        "both kinds", "compute them in trees of their own");
        const int64_t length = path_length(batch.segments[tree.last - 1]);
        const RotaryTable part =
            rotary_table(batch.positions.narrow(0, begin, end - begin), rotary_frequencies(config, length), factor, dtype);
        cos.push_back(part.cos);
        sin.push_back(part.sin);
    }
    return {at::cat(cos), at::cat(sin)};
}

PackedBatch separate_branches(const DecoderConfig& config, const PackedBatch& batch) {
    if (!depends_on_length(config)) return batch;
    const std::vector<Segment>& segments = batch.segments;
    const auto trees = trees_of(segments);
    const auto is_mixed = [&](const Tree& tree) { return tree_regime(config, segments, tree) < 0; };
    if (std::none_of(trees.begin(), trees.end(), is_mixed)) return batch;
    // Rows of the new batch, as rows of the old one; and for each target, which stands in a branch, its new row.
    std::vector<int64_t> rows;
    PackedBatch apart = batch;
    apart.segments.clear();
    const at::Tensor old_targets = batch.target_rows.cpu(), old_branches = batch.target_branch.cpu();
    const auto target = old_targets.accessor<int64_t, 1>(), target_branch = old_branches.accessor<int64_t, 1>();
    std::vector<int64_t> new_targets(static_cast<size_t>(old_targets.size(0)));
    int64_t next_target = 0;
    const auto append = [&](int64_t begin, int64_t end) {
        const auto at = static_cast<int64_t>(rows.size());
        for (int64_t i = begin; i < end; ++i) rows.push_back(i);
        return at;
    };
    // Targets stand in the order of their branches: those of a segment's branch are the next ones.
    const auto move_targets = [&](const Segment& s, int64_t prefix_at, int64_t at) {
        for (; next_target < old_targets.size(0) && target_branch[next_target] == s.branch; ++next_target) {
            const int64_t row = target[next_target];
            const bool in_prefix = row >= s.prefix_begin && row < s.prefix_end;
            new_targets[static_cast<size_t>(next_target)] =
                in_prefix ? prefix_at + row - s.prefix_begin : at + row - s.begin;
        }
    };
    for (const Tree& tree : trees) {
        const bool has_branches = tree.last > tree.first + 1, mixed = is_mixed(tree);
        int64_t prefix_at = 0;
        for (size_t i = tree.first; i < tree.last; ++i) {
            const Segment& s = segments[i];
            const bool is_prefix = has_branches && i == tree.first, is_branch = has_branches && !is_prefix;
            if (is_prefix && mixed) continue;
            if (is_branch && mixed) {
                prefix_at = append(s.prefix_begin, s.prefix_end);
                apart.segments.push_back({prefix_at, prefix_at + s.prefix_end - s.prefix_begin, 0, 0});
            }
            const int64_t at = append(s.begin, s.end);
            if (is_prefix) prefix_at = at;
            Segment moved{at, at + s.end - s.begin, 0, 0, s.branch};
            if (is_branch) {
                moved.prefix_begin = prefix_at;
                moved.prefix_end = prefix_at + s.prefix_end - s.prefix_begin;
            }
            apart.segments.push_back(moved);
            if (!is_prefix) move_targets(s, prefix_at, at);
        }
    }
    const at::Tensor index = at::tensor(rows, at::kLong).to(batch.tokens.device());
    apart.tokens = batch.tokens.index_select(0, index);
    apart.positions = batch.positions.index_select(0, index);
    apart.target_rows = at::tensor(new_targets, at::kLong).to(batch.tokens.device());
    return apart;
}

}  // namespace craft
