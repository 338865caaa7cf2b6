// Figures over prompts, data sets and systems (EditEval §7).
#pragma once

#include <optional>
#include <utility>
#include <vector>

namespace craft {

struct Spread {
    double mean = 0, max = 0, min = 0;
    std::optional<double> cv;  // population standard deviation / mean, in percent; absent where the mean is 0
};

// Absent for no values. Does not depend on the values' order.
std::optional<Spread> spread_of(std::vector<double> values);
double mean_of(std::vector<double> values);  // of at least one
// Pearson's correlation of at least two pairs; absent where one side does not vary.
std::optional<double> pearson(std::vector<std::pair<double, double>> pairs);

// The numbers of a box plot: whiskers reach to the farthest values within one and a half times the box's height of the box
// (Tukey), and what lies beyond them are outliers.
struct BoxNumbers {
    double lower_whisker = 0, lower = 0, median = 0, upper = 0, upper_whisker = 0;
    std::vector<double> outliers = {};  // ascending
};
// Of at least one value; quartiles lie between two values linearly, as numpy's percentile() and matplotlib have them.
BoxNumbers box_numbers_of(std::vector<double> values);

}  // namespace craft
