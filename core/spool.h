// Text that is written before what stands above it in a file is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/files.h"

namespace craft {

// In memory up to `memory` bytes, then in a file without a name, which is gone with the program however it ends. Every
// function throws Error with the folder and the system's reason.
class Spool {
public:
    explicit Spool(std::filesystem::path folder, size_t memory = size_t{16} << 20);
    ~Spool();
    Spool(const Spool&) = delete;
    Spool& operator=(const Spool&) = delete;

    void write(std::string_view text);
    bool empty() const { return text_.empty() && fd_ < 0; }
    // All that was written, in its order.
    void copy_to(OutputFile& file);

private:
    void spill();

    std::filesystem::path folder_;
    size_t memory_;
    std::string text_;
    int fd_ = -1;  // below 0: all is in memory
};

// The folder to spool in for this output: that of a file, which must have room for it anyway, else that of temporary files.
std::filesystem::path spool_folder(const std::string& output);

}  // namespace craft
