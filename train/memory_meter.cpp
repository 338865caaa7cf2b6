#include "train/memory_meter.h"

#include <c10/core/CachingDeviceAllocator.h>

#include "core/process_memory.h"
#include "model/weights/device_memory.h"

namespace craft {

namespace {

const c10::CachingAllocator::Stat& reserved_on(const c10::CachingDeviceAllocator::DeviceStats& stats) {
    return stats.reserved_bytes[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
}

}  // namespace

int64_t MemoryMeter::now() const {
    if (device_.is_cpu()) return resident_memory_bytes();
    return reserved_on(device_allocator(device_).getDeviceStats(index_of(device_))).current;
}

int64_t MemoryMeter::peak() const {
    if (device_.is_cpu()) return peak_resident_bytes();
    return reserved_on(device_allocator(device_).getDeviceStats(index_of(device_))).peak;
}

void MemoryMeter::forget_peak() const {
    if (device_.is_cpu())
        forget_peak_memory();
    else
        device_allocator(device_).resetPeakStats(index_of(device_));
}

void MemoryMeter::give_back() const {
    if (device_.is_cpu())
        give_freed_memory_back();
    else
        device_allocator(device_).emptyCache();
}

}  // namespace craft
