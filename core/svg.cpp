#include "core/svg.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace craft {

namespace {

double tick_step(double range) {
    const double power = std::pow(10, std::floor(std::log10(range / 4)));
    for (const double factor : {5.0, 2.0})
        if (range / (factor * power) >= 4) return factor * power;
    return power;
}

}  // namespace

std::string xml_text(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else
            escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return escaped;
}

std::string decimal(double value, int digits) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(digits) << value;
    return out.str();
}

Axis axis_around(double low, double high) {
    if (high - low < 1e-9) {
        low -= .5;
        high += .5;
    }
    const double step = tick_step(high - low);
    const int digits = std::max(0, -static_cast<int>(std::floor(std::log10(step) + 1e-9)));
    return {std::floor(low / step) * step, std::ceil(high / step) * step, step, digits};
}

}  // namespace craft
