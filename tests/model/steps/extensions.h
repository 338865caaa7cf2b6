// Prompts as Steps computes them.
#pragma once

#include <cstdint>
#include <vector>

#include "model/steps/steps.h"

namespace craft::test {

inline std::vector<Extension> whole(const std::vector<std::vector<int64_t>>& prompts) {
    std::vector<Extension> extensions;
    for (const std::vector<int64_t>& prompt : prompts) extensions.push_back({.tokens = prompt});
    return extensions;
}

}  // namespace craft::test
