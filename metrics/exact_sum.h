// A sum of doubles that does not depend on their order: no digit of a mean changes when items change places.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace craft {

// Keeps the sum as doubles that do not overlap (Shewchuk 1997, Adaptive Precision Floating-Point Arithmetic, section 2.4)
// and rounds once, as Python's math.fsum does. For finite values whose sum is finite.
class ExactSum {
public:
    void add(double value);
    double sum() const;
    int64_t count() const { return count_; }
    // None of no values.
    std::optional<double> mean() const;

private:
    std::vector<double> parts_;  // ascending in size
    int64_t count_ = 0;
};

}  // namespace craft
