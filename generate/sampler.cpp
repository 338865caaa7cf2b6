#include "generate/sampler.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.h"
#include "model/cpu_kernels.h"

namespace craft {

namespace {

[[noreturn]] void not_a_number() {
    throw Error("generation", "finite logits", "NaN", "the weights or the adapter are broken");
}

// Sets to 0 all weights outside the nucleus: in falling order, ties by id, a token stays while the mass before it is < p.
void keep_nucleus(std::vector<float>& weights, double p) {
    double total = 0;
    for (const float w : weights) total += w;
    // Tokens below this share cannot reach 1 - p together, so all of the nucleus is above: few are left to sort.
    const double floor = total * (1 - p) / static_cast<double>(weights.size());
    std::vector<int64_t> ids;
    for (size_t i = 0; i < weights.size(); ++i)
        if (weights[i] > 0 && weights[i] >= floor) ids.push_back(static_cast<int64_t>(i));
    const auto weight = [&](int64_t id) { return weights[static_cast<size_t>(id)]; };
    std::sort(ids.begin(), ids.end(),
              [&](int64_t a, int64_t b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
    std::vector<float> kept(weights.size(), 0.0F);
    double mass = 0;
    for (const int64_t id : ids) {
        if (mass >= p * total) break;
        kept[static_cast<size_t>(id)] = weight(id);
        mass += weight(id);
    }
    weights.swap(kept);
}

}  // namespace

void check_sampling(const Sampling& sampling) {
    if (!(sampling.temperature >= 0 && std::isfinite(sampling.temperature)))
        throw Error("--temperature", "0 or more", std::to_string(sampling.temperature));
    if (!(sampling.top_p > 0 && sampling.top_p <= 1))
        throw Error("--top-p", "above 0, at most 1", std::to_string(sampling.top_p));
    if (sampling.top_k < 0) throw Error("--top-k", "0 (off) or more", std::to_string(sampling.top_k));
}

int64_t greedy_token(const float* logits, int64_t vocabulary) {
    int64_t best = 0;
    for (int64_t i = 0; i < vocabulary; ++i) {
        if (std::isnan(logits[i])) not_a_number();
        if (logits[i] > logits[best]) best = i;
    }
    return best;
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
    for (int64_t i = 0; i < vocabulary; ++i)
        if (logits[i] < least) scratch[static_cast<size_t>(i)] = 0;
    if (sampling.top_p < 1) keep_nucleus(scratch, sampling.top_p);
    double total = 0;
    for (const float w : scratch) total += w;
    double left = draw * total;
    int64_t last = best;
    for (int64_t i = 0; i < vocabulary; ++i) {
        const float w = scratch[static_cast<size_t>(i)];
        if (w <= 0) continue;
        last = i;
        left -= w;
        if (left < 0) return i;
    }
    return last;  // rounding left a rest: the last token that could be drawn
}

}  // namespace craft
