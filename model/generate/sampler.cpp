#include "model/generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

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

bool is_more_probable(const TokenCandidate& a, const TokenCandidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
}

double total_of(const std::vector<TokenCandidate>& candidates) {
    double total = 0;
    for (const TokenCandidate& candidate : candidates) total += candidate.weight;
    return total;
}

float highest_of(const std::vector<TokenCandidate>& candidates) {
    float highest = 0;
    for (const TokenCandidate& candidate : candidates) highest = std::max(highest, candidate.weight);
    return highest;
}

// In nats.
double entropy_of(const std::vector<TokenCandidate>& candidates) {
    const double total = total_of(candidates);
    double entropy = 0;
    for (const TokenCandidate& candidate : candidates)
        entropy -= candidate.weight / total * std::log(candidate.weight / total);
    return entropy;
}

// Sets the weights that top-h leaves out to 0.
void keep_top_h(std::vector<float>& weights, double top_h) {
    constexpr size_t kMax = 100;  // transformers' TopHLogitsWarper looks at no more
    std::vector<TokenCandidate> candidates;
    for (size_t i = 0; i < weights.size(); ++i)
        if (weights[i] > 0) candidates.push_back({static_cast<int64_t>(i), weights[i]});
    const size_t count = std::min(kMax, candidates.size());
    std::partial_sort(candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count), candidates.end(),
                      is_more_probable);
    candidates.resize(count);
    const double total = total_of(candidates);
    std::vector<double> entropies;  // up to each candidate
    for (const TokenCandidate& candidate : candidates) {
        const double share = candidate.weight / total, before = entropies.empty() ? 0 : entropies.back();
        entropies.push_back(before - share * std::log(share));
    }
    std::fill(weights.begin(), weights.end(), 0.0F);
    for (size_t i = 0; i < count && (i == 0 || entropies[i] <= top_h * entropies.back()); ++i)
        weights[static_cast<size_t>(candidates[i].token)] = candidates[i].weight;
}

// Those by falling weight, as long as the weights before them sum to less than `mass`; by rising id.
void keep_nucleus(std::vector<TokenCandidate>& candidates, double mass) {
    std::sort(candidates.begin(), candidates.end(), is_more_probable);
    size_t kept = 0;
    for (double reached = 0; kept < candidates.size() && reached < mass; ++kept) reached += candidates[kept].weight;
    candidates.resize(kept);
    std::sort(candidates.begin(), candidates.end(),
              [](const TokenCandidate& a, const TokenCandidate& b) { return a.token < b.token; });
}

// Those whose surprise -log p is nearest the entropy, until their share reaches `mass`, and all as near as the last of them.
void keep_typical(std::vector<TokenCandidate>& candidates, double mass) {
    const double total = total_of(candidates), entropy = entropy_of(candidates);
    const auto distance = [&](float weight) { return std::abs(std::log(weight / total) + entropy); };
    std::vector<std::pair<double, float>> nearest;
    for (const TokenCandidate& candidate : candidates) nearest.emplace_back(distance(candidate.weight), candidate.weight);
    std::sort(nearest.begin(), nearest.end());
    size_t last = 0;
    for (double reached = nearest[0].second; reached < mass * total && last + 1 < nearest.size();)
        reached += nearest[++last].second;
    std::erase_if(candidates,
                  [&](const TokenCandidate& candidate) { return distance(candidate.weight) > nearest[last].first; });
}

// Those of at least the share `least` of all weights, and the most probable ones.
void keep_probable(std::vector<TokenCandidate>& candidates, double least) {
    const double bound = std::min<double>(highest_of(candidates), least * total_of(candidates));
    std::erase_if(candidates, [&](const TokenCandidate& candidate) { return candidate.weight < bound; });
}

// exp((logit - highest) / temperature) of each logit, 0 of those that top-h and top-k leave out.
void weigh(const float* logits, int64_t vocabulary, const Sampling& sampling, std::vector<float>& weights) {
    const int64_t best = greedy_token(logits, vocabulary);
    weights.assign(logits, logits + vocabulary);
    float least = -INFINITY;
    if (sampling.top_k > 0 && sampling.top_k < vocabulary) {
        std::nth_element(weights.begin(), weights.begin() + (sampling.top_k - 1), weights.end(), std::greater<>());
        least = weights[static_cast<size_t>(sampling.top_k - 1)];
        weights.assign(logits, logits + vocabulary);
    }
    cpu_kernels().exponentials(weights.data(), vocabulary, logits[best], static_cast<float>(1 / sampling.temperature));
    // Both keep the largest logits: of how many top-h leaves, top-k still leaves those that it leaves of all.
    if (sampling.top_h > 0) keep_top_h(weights, sampling.top_h);
    if (least > -INFINITY)
        for (int64_t i = 0; i < vocabulary; ++i)
            if (logits[i] < least) weights[static_cast<size_t>(i)] = 0;
}

// What top-p and the filters after it leave of the weights.
std::vector<TokenCandidate> filtered(const std::vector<float>& weights, const Sampling& sampling) {
    const double total = sum_of(weights);
    // Tokens below this share cannot reach 1 - p together, so all of the nucleus is above: few are left to sort.
    const double floor = total * (1 - sampling.top_p) / static_cast<double>(weights.size());
    std::vector<TokenCandidate> candidates;
    for (size_t i = 0; i < weights.size(); ++i)
        if (weights[i] >= floor && weights[i] > 0) candidates.push_back({static_cast<int64_t>(i), weights[i]});
    if (sampling.top_p < 1) keep_nucleus(candidates, sampling.top_p * total);
    if (sampling.min_p > 0) {
        const double least = sampling.min_p * highest_of(candidates);
        std::erase_if(candidates, [&](const TokenCandidate& candidate) { return candidate.weight < least; });
    }
    if (sampling.typical_p < 1) keep_typical(candidates, sampling.typical_p);
    if (sampling.epsilon_cutoff > 0) keep_probable(candidates, sampling.epsilon_cutoff);
    if (sampling.eta_cutoff > 0)
        keep_probable(candidates,
                      std::min(sampling.eta_cutoff, std::sqrt(sampling.eta_cutoff) * std::exp(-entropy_of(candidates))));
    return candidates;
}

int64_t drawn_of(const std::vector<TokenCandidate>& candidates, double draw) {
    std::vector<float> weights;
    for (const TokenCandidate& candidate : candidates) weights.push_back(candidate.weight);
    return candidates[index_at(weights, draw)].token;
}

}  // namespace

bool Sampling::has_further_filters() const {
    return min_p > 0 || typical_p < 1 || epsilon_cutoff > 0 || eta_cutoff > 0 || top_h > 0;
}

void check_sampling(const Sampling& sampling) {
    const bool divides = sampling.temperature == 0 || std::isfinite(static_cast<float>(1 / sampling.temperature));
    if (!(sampling.temperature >= 0 && std::isfinite(sampling.temperature) && divides))
        throw Error("--temperature", "0, or a number that logits can be divided by", dump_line(sampling.temperature));
    if (!(sampling.top_p > 0 && sampling.top_p <= 1))
        throw Error("--top-p", "above 0, at most 1", std::to_string(sampling.top_p));
    if (sampling.top_k < 0) throw Error("--top-k", "0 (off) or more", std::to_string(sampling.top_k));
    const auto check = [](const char* name, double value, bool is_in_range, const char* range) {
        if (!is_in_range) throw Error(name, range, dump_line(value));
    };
    const double p = sampling.typical_p, epsilon = sampling.epsilon_cutoff, eta = sampling.eta_cutoff;
    check("--min-p", sampling.min_p, sampling.min_p >= 0 && sampling.min_p <= 1, "0 (off) to 1");
    check("typical_p", p, p > 0 && p <= 1, "above 0, at most 1");
    check("epsilon_cutoff", epsilon, epsilon >= 0 && epsilon < 1, "0 (off) or more, below 1");
    check("eta_cutoff", eta, eta >= 0 && eta < 1, "0 (off) or more, below 1");
    check("top_h", sampling.top_h, sampling.top_h >= 0 && sampling.top_h <= 1, "0 (off) to 1");
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

int64_t sample_token(const float* logits, int64_t vocabulary, const Sampling& sampling, double draw,
                     std::vector<float>& scratch) {
    if (sampling.top_p < 1 || sampling.has_further_filters())
        return drawn_of(sampling_candidates(logits, vocabulary, sampling, scratch), draw);
    weigh(logits, vocabulary, sampling, scratch);
    return static_cast<int64_t>(index_at(scratch, draw));
}

int64_t sample_token(const float* logits, int64_t vocabulary, const Sampling& sampling, Rng& rng,
                     std::vector<float>& scratch) {
    return sample_token(logits, vocabulary, sampling, rng.uniform(), scratch);
}

std::vector<TokenCandidate> sampling_candidates(const float* logits, int64_t vocabulary, const Sampling& sampling,
                                                std::vector<float>& scratch) {
    weigh(logits, vocabulary, sampling, scratch);
    return filtered(scratch, sampling);
}

int64_t draw_candidate(std::vector<TokenCandidate> candidates, double mass, double draw) {
    keep_nucleus(candidates, mass);
    return drawn_of(candidates, draw);
}

}  // namespace craft
