// What this machine has, and of that this process may use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace craft {

struct Machine {
    std::string processor;              // its name; empty where the system does not say
    std::vector<std::string> features;  // of those that our kernels or LibTorch's use: avx2, avx512_bf16, asimd ...
    int64_t cores = 0;  // whose time this process may use: as it is placed, and not more than its control group's quota
    int64_t memory_bytes = 0, free_memory_bytes = 0;  // 0: not known; the smaller of the machine's and the control group's
    std::vector<std::string> gpus;                    // that the driver lists
};

Machine this_machine();

// Bytes that may be written where `path` is, or would be. Throws Error if no part of the path exists.
int64_t free_disk_bytes(const std::filesystem::path& path);
// Why nothing can be written into the folder (or the one that it would be made in); none if a file was written and removed.
std::optional<std::string> write_problem(const std::filesystem::path& folder);

}  // namespace craft
