#include "metrics/gleu_choices.h"

#include <algorithm>

#include "core/rng.h"
#include "metrics/gleu_draws.h"

namespace craft {

namespace {

constexpr double kNegligible = 1e-9;              // chance of a sum of 0
constexpr double kMostVariation = 0.1;            // deviation of a sum over its mean
constexpr int64_t kMostPicks = int64_t{1} << 25;  // references drawn in all, which keeps large corpora to some seconds
constexpr int64_t kFewestSampled = 1000;

struct SumOfCounts {
    double zero = 1;  // its chance of being 0
    double mean = 0, variance = 0;

    bool is_nearly_normal() const { return zero < kNegligible && variance <= kMostVariation * kMostVariation * mean * mean; }
};

SumOfCounts sum_of(const GleuItemRows& items, size_t variable) {
    SumOfCounts sum;
    for (const auto& references : items) {
        double zeros = 0, first = 0, second = 0;
        for (const GleuVariables& reference : references) {
            const auto count = static_cast<double>(reference[variable]);
            zeros += count == 0 ? 1 : 0;
            first += count;
            second += count * count;
        }
        const auto size = static_cast<double>(references.size());
        sum.zero *= zeros / size;
        sum.mean += first / size;
        sum.variance += second / size - first / size * (first / size);
    }
    return sum;
}

bool expansion_is_good(const GleuItemRows& items) {
    for (size_t v = 0; v < kGleuVariables; ++v)
        if (!sum_of(items, v).is_nearly_normal()) return false;
    return true;
}

}  // namespace

std::string exact_gleu_name(ExactGleuWay way) {
    return way == ExactGleuWay::enumerated ? "enumerated" : way == ExactGleuWay::expansion ? "expansion" : "sampled";
}

ExactGleuPlan plan_exact_gleu(const GleuItemRows& items) {
    GleuReferenceDraws draws;
    int64_t open = 0;
    for (const auto& references : items) {
        draws.add(references.size());
        open += references.size() > 1 ? 1 : 0;
    }
    const int64_t choices = draws.choices(kMostGleuChoices);
    if (choices <= kMostGleuChoices) return {ExactGleuWay::enumerated, choices};
    if (expansion_is_good(items)) return {ExactGleuWay::expansion, 0};
    return {ExactGleuWay::sampled, std::clamp(kMostPicks / std::max<int64_t>(1, open), kFewestSampled, kMostSampledChoices)};
}

void sample_gleu_choices(const GleuItemRows& items, int64_t choices,
                         const std::function<void(std::span<const uint32_t>)>& on_draw) {
    std::vector<size_t> open;
    for (size_t i = 0; i < items.size(); ++i)
        if (items[i].size() > 1) open.push_back(i);
    // Items of the same counts may change places: the sums stay the same.
    std::sort(open.begin(), open.end(), [&](size_t a, size_t b) {
        return std::lexicographical_compare(items[a].begin(), items[a].end(), items[b].begin(), items[b].end());
    });
    Rng rng(1, "gleu choices");
    std::vector<uint32_t> chosen(items.size());
    for (int64_t draw = 0; draw < choices; ++draw) {
        for (const size_t item : open)
            chosen[item] = static_cast<uint32_t>(rng.between(0, static_cast<int64_t>(items[item].size()) - 1));
        on_draw(chosen);
    }
}

}  // namespace craft
