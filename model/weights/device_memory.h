// The memory of the device that tensors live on.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>

namespace c10 {
struct DeviceAllocator;
}

namespace craft {

// Bytes that tensors may still take on the device: what nobody has there, and on a GPU also what its allocator keeps of
// tensors that are gone. On the CPU what this machine has free, 0 where that is not known. Throws c10::Error where the GPU
// does not work.
int64_t free_memory(const c10::Device& device);

// Of a device that is not the CPU, which is started if nothing has used it yet: before that its allocator has no numbers.
c10::DeviceAllocator& device_allocator(const c10::Device& device);
// The device's number, as allocators want it.
c10::DeviceIndex index_of(const c10::Device& device);

}  // namespace craft
