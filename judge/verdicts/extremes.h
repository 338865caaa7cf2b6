// Best and worst by numbers.
#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "judge/verdicts/listwise_reply.h"

namespace craft {

// The candidate with the highest value and the one with the lowest; nothing where two share one of these, or there are fewer
// than two.
std::optional<ListwiseVerdict> extremes(const std::map<size_t, double>& values);

}  // namespace craft
