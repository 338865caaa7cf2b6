// Runs a script of tests/parity with the Python that CRAFT_PARITY_PYTHON names (one with torch, transformers and peft).
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/source.h"

namespace craft::test {

inline const char* parity_python() {
    return std::getenv("CRAFT_PARITY_PYTHON");
}

// The script's exit code; what it printed goes to the test's output. `more`: further arguments.
inline int parity_script_code(const std::string& script, const std::filesystem::path& folder, const std::string& more = "") {
    const std::string quoted = "'" + std::string(parity_python()) + "' '" + test_source("/tests/parity/") + script + "' '";
    const int status = std::system((quoted + folder.string() + "' " + more + " 2>&1").c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// True if the script found no difference.
inline bool run_parity_script(const std::string& script, const std::filesystem::path& folder, const std::string& more = "") {
    return parity_script_code(script, folder, more) == 0;
}

}  // namespace craft::test

#define CRAFT_NEEDS_PARITY_PYTHON()              \
    if (craft::test::parity_python() == nullptr) \
    GTEST_SKIP() << "CRAFT_PARITY_PYTHON names no Python with transformers and peft"
