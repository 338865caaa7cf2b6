#include "data/constraints/mix.h"

#include <algorithm>
#include <iomanip>
#include <numeric>
#include <sstream>

#include "data/constraints/shape_plan.h"

namespace craft {

namespace {

std::string percent(double share) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(1) << 100 * share << " %";
    return out.str();
}

}  // namespace

std::array<double, kSubTypes> mix_of(const std::vector<double>& shares) {
    std::array<double, kSubTypes> mix{};
    mix.fill(1);
    std::copy(shares.begin(), shares.end(), mix.begin());
    return mix;
}

std::string mix_problem(const std::vector<double>& shares, const std::vector<int>& domains) {
    if (!shares.empty() && shares.size() != kSubTypes)
        return "expected " + std::to_string(kSubTypes) + " shares, got " + std::to_string(shares.size());
    if (domains.empty()) return "";
    const std::array<double, kSubTypes> mix = mix_of(shares);
    const int largest = *std::max_element(domains.begin(), domains.end()), least = std::max(1, largest);
    const auto positive = std::count_if(mix.begin(), mix.end(), [](double share) { return share > 0; });
    if (positive < least)
        return "expected at least " + std::to_string(least) + " positive share" +
               (least > 1 ? "s, as many as c" + std::to_string(largest) + " has constraints" : "") + ", got " +
               std::to_string(positive);
    std::array<size_t, kSubTypes> by_share{};
    std::iota(by_share.begin(), by_share.end(), size_t{0});
    std::stable_sort(by_share.begin(), by_share.end(), [&](size_t a, size_t b) { return mix[a] > mix[b]; });
    // The largest k shares, for each k, against the places for k sub-types: min(k, constraints) in each instruction.
    const double total = std::accumulate(mix.begin(), mix.end(), 0.0);
    const int constraints = std::max(1, std::accumulate(domains.begin(), domains.end(), 0));
    double share = 0;
    std::string names;
    for (int k = 1; k <= positive; ++k) {
        const size_t type = by_share[static_cast<size_t>(k) - 1];
        share += mix[type] / total;
        names += (k > 1 ? ", " : "") + sub_type_name(static_cast<SubType>(type));
        const int places = std::accumulate(domains.begin(), domains.end(), 0,
                                           [k](int sum, int domain) { return sum + std::min(k, domain); });
        const double most = largest == 0 ? 1 : static_cast<double>(places) / constraints;
        if (share > most + 1e-9)
            return "these domains can give " + names + " at most " + percent(most) + " of the constraints, once in an " +
                   "instruction each, not " + percent(share);
    }
    return "";
}

std::vector<double> mix_even_over_shapes() {
    std::vector<double> mix;
    for (const auto& shapes : shapes_of_sub_types()) mix.push_back(static_cast<double>(shapes.size()));
    return mix;
}

}  // namespace craft
