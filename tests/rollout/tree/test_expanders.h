// Expanders for tests of the search: by a function of leaf and sample, and random ones.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "rollout/tree/search.h"

namespace craft {

using CandidateOf = std::function<ChildCandidate(const Node& leaf, int64_t sample)>;

class FunctionExpander : public Expander {
public:
    explicit FunctionExpander(CandidateOf make) : make_(std::move(make)) {}

    std::vector<std::vector<ChildCandidate>> expand(const SearchTree& tree, const std::vector<int64_t>& leaves,
                                                    int64_t samples) override {
        tree.check_invariants();  // as the round before left it
        rounds.push_back(leaves);
        std::vector<std::vector<ChildCandidate>> answers;
        for (const int64_t leaf : leaves) {
            std::vector<ChildCandidate>& answer = answers.emplace_back();
            for (int64_t sample = 0; sample < samples; ++sample) answer.push_back(make_(tree.node(leaf), sample));
        }
        return answers;
    }

    std::vector<std::vector<int64_t>> rounds;  // the leaves of each call

private:
    CandidateOf make_;
};

inline ChildCandidate evaluated(std::string revision, double r_g, double r_c, Json payload = {}) {
    return {std::move(revision), r_g, r_c, "", std::move(payload)};
}

inline ChildCandidate failed(std::string reason, Json payload = {}) {
    return {"", 0, 0, std::move(reason), std::move(payload)};
}

// What a random problem is made of: chances of a failure, of a repeated revision and of the highest reward.
struct RandomProblem {
    explicit RandomProblem(uint64_t number) : seed(number) {
        Rng rng(number, "random search problem");
        options.children = rng.between(1, 4);
        options.depth = rng.between(1, 6);
        options.iterations = rng.between(1, 40);
        options.patience = rng.pick(std::vector<int64_t>{0, 3, 8});
        options.explore = rng.pick(std::vector<double>{0, 0.2, 1.5});
        options.leaves = rng.between(1, 4);
        options.use_quality = rng.below(5) != 0;
        options.use_constraints = !options.use_quality || rng.below(5) != 0;
        failures = rng.pick(std::vector<double>{0, 0.2, 0.7});
        perfect = rng.pick(std::vector<double>{0, 0.1});
        texts = rng.pick(std::vector<uint64_t>{2, 5, 1000});
    }

    // Rewards are multiples of 1/64, so that their sums are exact in any order.
    ChildCandidate candidate(int64_t leaf, int64_t sample) const {
        Rng rng(seed, "random candidate", static_cast<uint64_t>(leaf), static_cast<uint64_t>(sample));
        const Json payload = {{"leaf", leaf}, {"sample", sample}};
        if (rng.uniform() < failures) return failed("no answer", payload);
        const bool is_perfect = rng.uniform() < perfect;
        const std::string text = "text " + std::to_string(rng.below(texts));
        const double r_g = static_cast<double>(rng.below(65)) / 64, r_c = static_cast<double>(rng.below(5)) / 4;
        return evaluated(text, is_perfect ? 1 : r_g, is_perfect ? 1 : r_c, payload);
    }
    CandidateOf candidates() const {
        return [*this](const Node& leaf, int64_t sample) { return candidate(leaf.id, sample); };
    }

    uint64_t seed;
    SearchOptions options;
    double failures = 0, perfect = 0;
    uint64_t texts = 0;
};

}  // namespace craft
