// What pictures in SVG are written with.
#pragma once

#include <string>

namespace craft {

// A text as it stands between tags: & < > are escaped, signs of control are blanks.
std::string xml_text(const std::string& text);
std::string decimal(double value, int digits);

// The values that an axis shows, with its ends on ticks.
struct Axis {
    double low = 0, high = 1;
    double step = 1;  // between ticks: 1, 2 or 5 times a power of ten, of which four to ten lie in the range
    int digits = 0;   // behind the point that ticks need
};
// Around the values from `low` to `high`; where both are the same, a half to either side.
Axis axis_around(double low, double high);

}  // namespace craft
