#include "generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "core/json.h"
#include "model/kernels/cpu_kernels.h"

namespace craft {

namespace {

// In four chains, so that an addition need not wait for the one before.
double sum_of(const std::vector<float>& weights) {
    double parts[4] = {};
    size_t i = 0;
    for (; i + 4 <= weights.size(); i += 4)
        for (size_t j = 0; j < 4; ++j) parts[j] += weights[i + j];
    for (; i < weights.size(); ++i) parts[0] += weights[i];
    return parts[0] + parts[1] + parts[2] + parts[3];
}

// The index at which the running sum of `weights` passes the share `draw` of their sum; at least one is above 0.
size_t index_at(const std::vector<float>& weights, double draw) {
    double left = draw * sum_of(weights);
    return index_passing(weights, left);
}

}  // namespace

void check_sampling(const Sampling& sampling) {
    const bool divides = sampling.temperature == 0 || std::isfinite(static_cast<float>(1 / sampling.temperature));
    if (!(sampling.temperature >= 0 && std::isfinite(sampling.temperature) && divides))
        throw Error("--temperature", "0, or a number that logits can be divided by", dump_line(sampling.temperature));
    if (!(sampling.top_p > 0 && sampling.top_p <= 1))
        throw Error("--top-p", "above 0, at most 1", std::to_string(sampling.top_p));
    if (sampling.top_k < 0) throw Error("--top-k", "0 (off) or more", std::to_string(sampling.top_k));
}

void throw_not_finite(double logit) {
    throw Error("generation", "finite logits", std::to_string(logit), "the weights or the adapter are broken");
}

int64_t greedy_token(const float* logits, int64_t vocabulary) {
    int64_t best = 0;
    for (int64_t i = 0; i < vocabulary; ++i) {
        if (std::isnan(logits[i])) throw_not_finite(logits[i]);
        if (logits[i] > logits[best]) best = i;
    }
    if (std::isinf(logits[best])) throw_not_finite(logits[best]);
    return best;
}

double token_logprob(const float* logits, int64_t vocabulary, int64_t token, std::vector<float>& scratch) {
    const float highest = *std::max_element(logits, logits + vocabulary);
    scratch.assign(logits, logits + vocabulary);
    cpu_kernels().exponentials(scratch.data(), vocabulary, highest, 1);
    return static_cast<double>(logits[token]) - highest - std::log(sum_of(scratch));
}

int64_t sample_token(const float* logits, int64_t vocabulary, const Sampling& sampling, Rng& rng,
                     std::vector<float>& scratch) {
    const double draw = rng.uniform();
    const int64_t best = greedy_token(logits, vocabulary);
    scratch.assign(logits, logits + vocabulary);
    float least = -INFINITY;
    if (sampling.top_k > 0 && sampling.top_k < vocabulary) {
        std::nth_element(scratch.begin(), scratch.begin() + (sampling.top_k - 1), scratch.end(), std::greater<>());
        least = scratch[static_cast<size_t>(sampling.top_k - 1)];
        scratch.assign(logits, logits + vocabulary);
    }
    cpu_kernels().exponentials(scratch.data(), vocabulary, logits[best], static_cast<float>(1 / sampling.temperature));
    if (least > -INFINITY)
        for (int64_t i = 0; i < vocabulary; ++i)
            if (logits[i] < least) scratch[static_cast<size_t>(i)] = 0;
    if (sampling.top_p == 1) return static_cast<int64_t>(index_at(scratch, draw));
    const double total = sum_of(scratch);
    // Tokens below this share cannot reach 1 - p together, so all of the nucleus is above: few are left to sort.
    const double floor = total * (1 - sampling.top_p) / static_cast<double>(vocabulary);
    std::vector<Candidate> candidates;
    for (int64_t i = 0; i < vocabulary; ++i) {
        const float weight = scratch[static_cast<size_t>(i)];
        if (weight >= floor && weight > 0) candidates.push_back({i, weight});
    }
    return draw_candidate(std::move(candidates), sampling.top_p * total, draw);
}

int64_t draw_candidate(std::vector<Candidate> candidates, double mass, double draw) {
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
    });
    size_t kept = 0;
    for (double reached = 0; kept < candidates.size() && reached < mass; ++kept) reached += candidates[kept].weight;
    candidates.resize(kept);
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.token < b.token; });
    std::vector<float> weights;
    for (const Candidate& candidate : candidates) weights.push_back(candidate.weight);
    return candidates[index_at(weights, draw)].token;
}

}  // namespace craft
