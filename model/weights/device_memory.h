// The memory of the device that tensors live on.
#pragma once

#include <c10/core/Device.h>

#include <cstdint>
#include <string>

namespace c10 {
struct DeviceAllocator;
}

namespace craft {

// Bytes that tensors may still take on the device: what nobody has there, and on a GPU also what its allocator keeps of
// tensors that are gone. On the CPU what this machine has free, 0 where that is not known. Throws c10::Error where the GPU
// does not work.
int64_t free_memory(const c10::Device& device);

// What a model is going to take of a device's memory.
struct MemoryNeed {
    int64_t weights = 0;       // bytes, as they are held; also of those that are used where a mapped file has them
    std::string form = {};     // that they are held in: "float32", "nf4"
    int64_t besides = 0;       // bytes that computing takes at least
    std::string purpose = {};  // of these: "gradients"
    std::string hint = {};     // what takes less
};

// Throws Error, whose `where` is the model, if that is more than the device has (on a GPU: than is free there). On the CPU
// what this machine has counts, or this process's control group: not what is free, since other programs may end and caches
// of files make room. Mapped weights count as others do: their pages could be taken back, but every pass needs them all, and
// most passes write to them (weights are packed where they lie).
void refuse_beyond_memory(const std::string& where, const MemoryNeed& need, const c10::Device& device);
// The same right before the weights are read, when what this process holds already counts, too. Warns of more than is free.
void expect_memory(const std::string& where, const MemoryNeed& need, const c10::Device& device);

// Of a device that is not the CPU, which is started if nothing has used it yet: before that its allocator has no numbers.
c10::DeviceAllocator& device_allocator(const c10::Device& device);
// The device's number, as allocators want it.
c10::DeviceIndex index_of(const c10::Device& device);

}  // namespace craft
