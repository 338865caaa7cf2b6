// The encoder that scripts/setup.sh --encoder installs: $CRAFT_ENCODER_MODEL, else weights/minilm of the source tree.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/source.h"

namespace craft::test {

inline std::filesystem::path installed_encoder() {
    if (const char* given = std::getenv("CRAFT_ENCODER_MODEL"); given != nullptr && *given != '\0') return given;
    return std::filesystem::path(test_source()) / "weights" / "minilm";
}

}  // namespace craft::test

#define CRAFT_NEEDS_ENCODER()                                                       \
    if (!std::filesystem::exists(craft::test::installed_encoder() / "config.json")) \
    GTEST_SKIP() << "no reference data: " << craft::test::installed_encoder() << " (run scripts/setup.sh --encoder)"
