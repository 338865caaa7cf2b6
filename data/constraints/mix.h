// The shares of the eight sub-types that are asked for.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "data/instruction.h"

namespace craft {

// `shares`: up to a factor, in SubType order; empty: equal ones.
std::array<double, kSubTypes> mix_of(const std::vector<double>& shares);

// Why instructions of these domains cannot have such a mix (GeneratorOptions::mix); empty if they can. A sub-type stands at
// most once in an instruction, which bounds its share.
std::string mix_problem(const std::vector<double>& mix, const std::vector<int>& domains);

// The mix that makes all 19 shapes equally frequent, instead of the eight sub-types.
std::vector<double> mix_even_over_shapes();

}  // namespace craft
