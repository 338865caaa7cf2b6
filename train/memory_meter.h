// What training holds: of a GPU what its allocator has reserved there, else the resident memory of this process.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace craft {

class MemoryMeter {
public:
    explicit MemoryMeter(const c10::Device& device) : device_(device) {}

    int64_t now() const;   // bytes
    int64_t peak() const;  // the largest since forget_peak(), or the beginning
    void forget_peak() const;
    // What was freed and kept for later goes back.
    void give_back() const;

private:
    c10::Device device_;
};

}  // namespace craft
