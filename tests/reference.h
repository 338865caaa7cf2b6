// The folder of reference data: $CRAFT_REFERENCE_DIR, else ../shared beside the source tree. Tests skip without it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/source.h"

namespace craft::test {

inline std::filesystem::path reference_folder() {
    if (const char* given = std::getenv("CRAFT_REFERENCE_DIR"); given != nullptr && *given != '\0') return given;
    return std::filesystem::path(test_source()).parent_path() / "shared";
}

}  // namespace craft::test

// In a test: declares `name` as the path of a reference file, or skips the test with a message.
#define CRAFT_REFERENCE_FILE(name, relative)                                         \
    const std::filesystem::path name = craft::test::reference_folder() / (relative); \
    if (!std::filesystem::exists(name)) GTEST_SKIP() << "no reference data: " << name << " (set CRAFT_REFERENCE_DIR)"
