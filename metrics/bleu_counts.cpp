#include "metrics/bleu_counts.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace craft {

namespace {

int64_t reference_length(const NgramIds& ids, size_t texts, ReferenceLength rule) {
    const auto prediction = static_cast<int64_t>(ids.words(0));
    auto chosen = static_cast<int64_t>(ids.words(1));
    for (size_t text = 2; text < texts; ++text) {
        const auto length = static_cast<int64_t>(ids.words(text));
        const int64_t distance = std::abs(length - prediction), best = std::abs(chosen - prediction);
        const bool closer = distance < best || (distance == best && length < chosen);
        if (rule == ReferenceLength::closest ? closer : length < chosen) chosen = length;
    }
    return chosen;
}

// The prediction's n-grams, each as often as the reference that has it most often.
int64_t count_matches(const NgramIds& ids, size_t texts) {
    std::vector<int32_t> wanted(ids.types()), here(ids.types());
    for (size_t text = 1; text < texts; ++text) {
        for (const uint32_t id : ids.of(text)) wanted[id] = std::max(wanted[id], ++here[id]);
        for (const uint32_t id : ids.of(text)) here[id] = 0;
    }
    int64_t matches = 0;
    for (const uint32_t id : ids.of(0))
        if (wanted[id]-- > 0) ++matches;
    return matches;
}

double brevity_penalty(const BleuCounts& counts) {
    if (counts.length >= counts.reference_length) return 1;
    if (counts.length == 0) return 0;
    return std::exp(1 - static_cast<double>(counts.reference_length) / static_cast<double>(counts.length));
}

}  // namespace

BleuCounts& BleuCounts::operator+=(const BleuCounts& other) {
    for (size_t n = 0; n < kMaxNgram; ++n) {
        matches[n] += other.matches[n];
        totals[n] += other.totals[n];
    }
    length += other.length;
    reference_length += other.reference_length;
    return *this;
}

std::vector<int64_t> BleuCounts::as_list() const {
    std::vector<int64_t> list(matches.begin(), matches.end());
    list.insert(list.end(), totals.begin(), totals.end());
    list.push_back(length);
    list.push_back(reference_length);
    return list;
}

BleuCounts BleuCounts::from_list(const int64_t* list) {
    constexpr size_t kOrders = kMaxNgram;
    BleuCounts counts;
    std::copy_n(list, kOrders, counts.matches.begin());
    std::copy_n(list + kOrders, kOrders, counts.totals.begin());
    counts.length = list[2 * kOrders];
    counts.reference_length = list[2 * kOrders + 1];
    return counts;
}

BleuCounts count_bleu(const std::vector<std::string>& texts, ReferenceLength rule) {
    NgramIds ids(texts);
    BleuCounts counts;
    counts.length = static_cast<int64_t>(ids.words(0));
    counts.reference_length = reference_length(ids, texts.size(), rule);
    for (size_t n = 0; n < kMaxNgram; ++n) {
        if (n > 0) ids.advance();
        counts.totals[n] = static_cast<int64_t>(ids.of(0).size());
        counts.matches[n] = count_matches(ids, texts.size());
    }
    return counts;
}

BleuFigure sacre_bleu(const BleuCounts& counts, const BleuRule& rule) {
    BleuFigure figure;
    figure.brevity_penalty = brevity_penalty(counts);
    if (std::all_of(counts.matches.begin(), counts.matches.end(), [](int64_t m) { return m == 0; })) return figure;
    std::array<double, kMaxNgram> shares{};  // precisions 0-1, whose logarithm is exactly 0 where all n-grams match
    double halvings = 1;
    int order = kMaxNgram;
    for (size_t n = 0; n < kMaxNgram; ++n) {
        const double added = rule.smoothing == BleuSmoothing::add_k && n > 0 ? rule.value : 0;
        const double matches = static_cast<double>(counts.matches[n]) + added;
        const double total = static_cast<double>(counts.totals[n]) + added;
        if (total == 0) break;
        if (rule.effective_order) order = static_cast<int>(n) + 1;
        if (matches != 0)
            shares[n] = matches / total;
        else if (rule.smoothing == BleuSmoothing::exp)
            shares[n] = 1 / ((halvings *= 2) * total);
        else if (rule.smoothing == BleuSmoothing::floor)
            shares[n] = rule.value / total;
        figure.precisions[n] = 100 * shares[n];
    }
    double logarithms = 0;
    for (int n = 0; n < order; ++n) {
        if (shares[static_cast<size_t>(n)] == 0) return figure;
        logarithms += std::log(shares[static_cast<size_t>(n)]);
    }
    figure.score = 100 * figure.brevity_penalty * std::exp(logarithms / order);
    return figure;
}

BleuFigure nmt_bleu(const BleuCounts& counts) {
    BleuFigure figure;
    figure.brevity_penalty = brevity_penalty(counts);
    double logarithms = 0;
    bool any_zero = false;
    for (size_t n = 0; n < kMaxNgram; ++n) {
        if (counts.matches[n] == 0) {
            any_zero = true;
            continue;
        }
        figure.precisions[n] = static_cast<double>(counts.matches[n]) / static_cast<double>(counts.totals[n]);
        logarithms += std::log(figure.precisions[n]) / kMaxNgram;
    }
    if (!any_zero) figure.score = figure.brevity_penalty * std::exp(logarithms);
    return figure;
}

}  // namespace craft
