// The package that scripts/setup.sh --english installs: $CRAFT_ENGLISH_MODEL, else weights/en_core_web_sm of the source
// tree.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/source.h"

namespace craft::test {

inline std::filesystem::path installed_english_model() {
    if (const char* given = std::getenv("CRAFT_ENGLISH_MODEL"); given != nullptr && *given != '\0') return given;
    return std::filesystem::path(test_source()) / "weights" / "en_core_web_sm";
}

}  // namespace craft::test

#define CRAFT_NEEDS_ENGLISH_MODEL()                                                      \
    if (!std::filesystem::exists(craft::test::installed_english_model() / "config.cfg")) \
    GTEST_SKIP() << "no reference data: " << craft::test::installed_english_model() << " (run scripts/setup.sh --english)"
