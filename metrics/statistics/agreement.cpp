#include "metrics/statistics/agreement.h"

#include <map>
#include <stdexcept>

namespace craft {

namespace {

double squared(double x) {
    return x * x;
}

// Squared distances between marks by how many marks lie from the one to the other.
class OrdinalDistance {
public:
    explicit OrdinalDistance(const std::map<int64_t, double>& counts) : counts_(counts) {}
    double operator()(int64_t a, int64_t b) const {
        if (a > b) return (*this)(b, a);
        double between = -(counts_.at(a) + counts_.at(b)) / 2;
        for (auto at = counts_.find(a); at != counts_.end() && at->first <= b; ++at) between += at->second;
        return a == b ? 0 : squared(between);
    }

private:
    const std::map<int64_t, double>& counts_;
};

}  // namespace

std::optional<double> quadratic_kappa(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
    if (a.size() != b.size()) throw std::logic_error("marks of two raters of different lengths");
    if (a.empty()) return std::nullopt;
    const auto n = static_cast<double>(a.size());
    double observed = 0, expected = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        observed += squared(static_cast<double>(a[i] - b[i])) / n;
        for (const int64_t other : b) expected += squared(static_cast<double>(a[i] - other)) / (n * n);
    }
    if (expected == 0) return std::nullopt;
    return 1 - observed / expected;
}

std::optional<double> ordinal_alpha(const std::vector<std::vector<int64_t>>& items) {
    std::map<int64_t, double> counts;  // of marks that can be compared with another one
    double all = 0;
    for (const std::vector<int64_t>& marks : items) {
        if (marks.size() < 2) continue;
        for (const int64_t mark : marks) ++counts[mark];
        all += static_cast<double>(marks.size());
    }
    if (counts.size() < 2) return std::nullopt;
    const OrdinalDistance distance(counts);
    double observed = 0, expected = 0;
    for (const std::vector<int64_t>& marks : items) {
        if (marks.size() < 2) continue;
        for (const int64_t one : marks)
            for (const int64_t other : marks)
                observed += distance(one, other) / (static_cast<double>(marks.size()) - 1) / all;
    }
    for (const auto& [one, times] : counts)
        for (const auto& [other, others] : counts) expected += times * others * distance(one, other) / (all * (all - 1));
    return 1 - observed / expected;
}

}  // namespace craft
