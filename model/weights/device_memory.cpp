#include "model/weights/device_memory.h"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "core/machine.h"

namespace craft {

int64_t free_memory(const c10::Device& device) {
    if (device.is_cpu()) return this_machine().free_memory_bytes;
    c10::DeviceAllocator& allocator = device_allocator(device);
    const auto stats = allocator.getDeviceStats(index_of(device));
    const auto all = static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE);
    const auto unclaimed = static_cast<int64_t>(allocator.getMemoryInfo(index_of(device)).first);
    return unclaimed + stats.reserved_bytes[all].current - stats.allocated_bytes[all].current;
}

c10::DeviceAllocator& device_allocator(const c10::Device& device) {
    at::globalContext().lazyInitDevice(device.type());
    return *c10::getDeviceAllocator(device.type());
}

c10::DeviceIndex index_of(const c10::Device& device) {
    return device.has_index() ? device.index() : c10::DeviceIndex{0};
}

}  // namespace craft
