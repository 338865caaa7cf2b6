// What the rows of a *.cases file can be run through.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace craft::test {

struct RowRunner {
    std::string name;  // after "# run:"
    // What came instead of `expected`; empty: it came.
    std::function<std::string(const std::string& input, const std::string& expected)> problem;
    bool needs_english = true;  // what scripts/setup.sh --english installs
};

// Throws Error naming `where` and the known ones.
const RowRunner& row_runner(const std::string& name, const std::string& where);

}  // namespace craft::test
