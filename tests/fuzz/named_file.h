// The bytes of a fuzz target as a file with a name: HDF5 opens none that has lost it.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace craft::test {

class NamedFile {
public:
    // In the folder for temporary files, removed at the end of the program that has it. `name` tells targets apart.
    explicit NamedFile(const std::string& name)
        : path_(std::filesystem::temp_directory_path() / ("craft-" + name + "-" + std::to_string(::getpid()))) {}
    ~NamedFile() { std::filesystem::remove(path_); }
    NamedFile(const NamedFile&) = delete;
    NamedFile& operator=(const NamedFile&) = delete;

    // Holds these bytes now, and returns its path.
    const std::filesystem::path& hold(const uint8_t* data, size_t size) const {
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
        return path_;
    }

private:
    std::filesystem::path path_;
};

}  // namespace craft::test
