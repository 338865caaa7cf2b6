#include "systems/recorded/latencies.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace craft {

namespace {

constexpr double kClassesPerOctave = 8;
constexpr int64_t kFarthestClass = 1000;  // 2^125 ms: what no clock gives comes from a damaged file

// The middle of a class, in seconds.
double middle(int64_t number) {
    return std::exp2((static_cast<double>(number) - .5) / kClassesPerOctave) / 1000;
}

}  // namespace

void Latencies::add(double seconds) {
    const double number = std::ceil(std::log2(seconds * 1000) * kClassesPerOctave);
    ++classes_[static_cast<int64_t>(
        std::clamp(number, static_cast<double>(-kFarthestClass), static_cast<double>(kFarthestClass)))];
}

void Latencies::add(const Latencies& others) {
    for (const auto& [number, count] : others.classes_) classes_[number] += count;
}

int64_t Latencies::count() const {
    int64_t sum = 0;
    for (const auto& [number, count] : classes_) sum += count;
    return sum;
}

std::optional<double> Latencies::quantile(double share) const {
    const double wanted = share * static_cast<double>(count());
    int64_t sum = 0;
    for (const auto& [number, count] : classes_) {
        sum += count;
        if (static_cast<double>(sum) >= wanted) return middle(number);
    }
    return std::nullopt;
}

Json Latencies::to_json() const {
    Json classes = Json::object();
    for (const auto& [number, count] : classes_) classes[std::to_string(number)] = count;
    return {{"p50", value_or_null(quantile(.5))}, {"p95", value_or_null(quantile(.95))}, {"classes", classes}};
}

Latencies Latencies::from_json(const Json& value, const std::string& where) {
    Latencies latencies;
    if (!value.is_object() || !value.contains("classes") || !value["classes"].is_object())
        throw Error(where, "an object with 'classes'", value.dump());
    for (const auto& [name, count] : value["classes"].items()) {
        int64_t number = 0;
        const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
        if (problem != std::errc() || end != name.data() + name.size() || std::abs(number) > kFarthestClass ||
            !count.is_number_integer() || count < 0)
            throw Error(where + ": class '" + name + "'", "a whole number and a count", count.dump());
        latencies.classes_[number] += count.get<int64_t>();
    }
    return latencies;
}

}  // namespace craft
