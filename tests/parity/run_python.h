// Runs a script of tests/parity with the Python that CRAFT_PARITY_PYTHON names (one with torch, transformers and peft).
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace craft::test {

inline const char* parity_python() {
    return std::getenv("CRAFT_PARITY_PYTHON");
}

// True if the script found no difference; what it printed goes to the test's output.
inline bool run_parity_script(const std::string& script, const std::filesystem::path& folder, const std::string& more = "") {
    const std::string quoted =
        "'" + std::string(parity_python()) + "' '" CRAFT_TEST_SOURCE "/tests/parity/" + script + "' '";
    return std::system((quoted + folder.string() + "' " + more + " 2>&1").c_str()) == 0;
}

}  // namespace craft::test

#define CRAFT_NEEDS_PARITY_PYTHON()              \
    if (craft::test::parity_python() == nullptr) \
    GTEST_SKIP() << "CRAFT_PARITY_PYTHON names no Python with transformers and peft"
