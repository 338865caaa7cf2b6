// What scripts/setup.sh --english installs. Where it is missing a test is skipped for a reason that .ci/run does not take.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>

#include "english/dictionary/english_dictionary.h"

#define CRAFT_NEEDS(place) \
    if (!std::filesystem::exists(place)) GTEST_SKIP() << "not installed: " << (place) << " (run scripts/setup.sh --english)"
