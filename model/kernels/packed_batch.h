// Token trees packed without padding: a prompt once, with what all its responses begin with; the rest of each response is a
// branch, and branches do not see each other.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace craft {

// Tokens with the mask of those whose log-probability counts (a token is predicted from the one before it in its tree path).
struct MaskedTokens {
    std::vector<int64_t> tokens;
    std::vector<uint8_t> counted;  // same length; 1 = its log-probability is asked for
};

// An SFT trajectory is a tree with an empty prefix and one branch; a pair has two branches, K samples have K.
struct TokenTree {
    std::vector<int64_t> prefix;
    std::vector<MaskedTokens> branches;
    // Of a pair: how much higher its chosen response was rewarded than its rejected one. No result depends on it: trainings
    // tell how their margins agree with it. Absent: unknown.
    std::optional<double> reward_gap = {};
    // Tokens that all branches, of two or more, begin with, but for the last of the shortest: computed once, whether they
    // count in none, some or all of them.
    int64_t common() const;
    int64_t size() const;  // tokens computed: prefix and common beginning once, and the rest of all branches
};

// Queries [begin, end) of the packed row see keys [prefix_begin, prefix_end) and, causally, [begin, end). An
// encoder-decoder's encoder reads the tree's own prefix, [begin or prefix_begin, source_end); the rest are answers.
struct Segment {
    int64_t begin = 0, end = 0;
    int64_t prefix_begin = 0, prefix_end = 0;
    int64_t branch = -1;      // of the batch; -1: a prefix, with what its branches begin with
    int64_t source_end = -1;  // -1: there is no prefix
};

// T tokens, R counted tokens, all on one device; branches are numbered over the batch in order.
struct PackedBatch {
    at::Tensor tokens;     // [T] int64
    at::Tensor positions;  // [T] int64, from 0 in each tree; branches continue from their segment's prefix
    std::vector<Segment> segments;
    at::Tensor target_rows;    // [R] int64: the row of [T] whose hidden state predicts the target; branches may share it
    at::Tensor targets;        // [R] int64
    at::Tensor target_branch;  // [R] int64: which branch the target belongs to
    int64_t branches = 0;
    int64_t token_count() const { return tokens.size(0); }
};

// Throws Error on a tree without branches, an empty path to a counted token, or masks of another length.
PackedBatch pack(const std::vector<TokenTree>& trees, const at::Device& device);

// Cuts trees, in order, into micro-batches of at most `budget` tokens. Throws Error naming the tree that alone exceeds it.
std::vector<std::pair<size_t, size_t>> cut_by_tokens(const std::vector<int64_t>& sizes, int64_t budget);

}  // namespace craft
