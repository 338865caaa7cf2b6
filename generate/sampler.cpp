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

// In four chains, so that an addition need not wait for the one before.
double sum_of(const std::vector<float>& weights) {
    double parts[4] = {};
    size_t i = 0;
    for (; i + 4 <= weights.size(); i += 4)
        for (size_t j = 0; j < 4; ++j) parts[j] += weights[i + j];
    for (; i < weights.size(); ++i) parts[0] += weights[i];
    return parts[0] + parts[1] + parts[2] + parts[3];
}

// Ids of the weights above 0 that are at least `floor`, in rising order.
std::vector<int64_t> ids_above(const std::vector<float>& weights, double floor) {
    std::vector<int64_t> ids;
    for (size_t i = 0; i < weights.size(); ++i)
        if (weights[i] >= floor && weights[i] > 0) ids.push_back(static_cast<int64_t>(i));
    return ids;
}

// The nucleus, in rising order of ids: by falling weight, ties by id, a token stays while the mass before it is < p.
std::vector<int64_t> nucleus(const std::vector<float>& weights, double p) {
    const double total = sum_of(weights);
    // Tokens below this share cannot reach 1 - p together, so all of the nucleus is above: few are left to sort.
    std::vector<int64_t> ids = ids_above(weights, total * (1 - p) / static_cast<double>(weights.size()));
    const auto weight = [&](int64_t id) { return weights[static_cast<size_t>(id)]; };
    std::sort(ids.begin(), ids.end(),
              [&](int64_t a, int64_t b) { return weight(a) != weight(b) ? weight(a) > weight(b) : a < b; });
    size_t kept = 0;
    for (double mass = 0; kept < ids.size() && mass < p * total; ++kept) mass += weight(ids[kept]);
    ids.resize(kept);
    std::sort(ids.begin(), ids.end());
    return ids;
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
    if (least > -INFINITY)
        for (int64_t i = 0; i < vocabulary; ++i)
            if (logits[i] < least) scratch[static_cast<size_t>(i)] = 0;
    const std::vector<int64_t> ids = sampling.top_p < 1 ? nucleus(scratch, sampling.top_p) : ids_above(scratch, 0);
    double left = 0;
    for (const int64_t id : ids) left += scratch[static_cast<size_t>(id)];
    left *= draw;
    for (const int64_t id : ids) {
        left -= scratch[static_cast<size_t>(id)];
        if (left < 0) return id;
    }
    return ids.empty() ? best : ids.back();  // rounding left a rest: the last token that could be drawn
}

}  // namespace craft
