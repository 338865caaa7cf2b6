// A folder of its own for a test, or for a suite that is set up, removed with everything in it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace craft {

class TemporaryFolder {
public:
    TemporaryFolder() {
        static int count = 0;  // a test may have several
        const auto* unit = ::testing::UnitTest::GetInstance();
        const auto* test = unit->current_test_info();  // none while a whole suite is set up
        std::string name = "craft-" + std::string(unit->current_test_suite()->name()) + "-" + (test ? test->name() : "all") +
                           "-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
        std::replace(name.begin(), name.end(), '/', '-');  // names of parameterised tests have some
        path_ = std::filesystem::temp_directory_path() / name;
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    // Writes a file of the folder and returns its path.
    std::string file(const std::string& name, const std::string& bytes) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return (path_ / name).string();
    }
    size_t count() const {
        size_t files = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path_)) ++files;
        return files;
    }

private:
    std::filesystem::path path_;
};

// The message of the exception that `action` throws, or "(nothing thrown)".
template <class Action>
std::string message_of(Action&& action) {
    try {
        action();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "(nothing thrown)";
}

}  // namespace craft
