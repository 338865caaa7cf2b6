#include "train/memory_meter.h"

#include <c10/core/CachingDeviceAllocator.h>

#include "core/process_memory.h"

namespace craft {

namespace {

const c10::CachingAllocator::Stat& reserved_on(const c10::CachingDeviceAllocator::DeviceStats& stats) {
    return stats.reserved_bytes[static_cast<size_t>(c10::CachingAllocator::StatType::AGGREGATE)];
}

c10::DeviceIndex index_of(const c10::Device& device) {
    return device.has_index() ? device.index() : c10::DeviceIndex{0};
}

}  // namespace

int64_t MemoryMeter::now() const {
    if (device_.is_cpu()) return resident_memory_bytes();
    return reserved_on(c10::getDeviceAllocator(device_.type())->getDeviceStats(index_of(device_))).current;
}

int64_t MemoryMeter::peak() const {
    if (device_.is_cpu()) return peak_resident_bytes();
    return reserved_on(c10::getDeviceAllocator(device_.type())->getDeviceStats(index_of(device_))).peak;
}

void MemoryMeter::forget_peak() const {
    if (device_.is_cpu())
        forget_peak_memory();
    else
        c10::getDeviceAllocator(device_.type())->resetPeakStats(index_of(device_));
}

void MemoryMeter::give_back() const {
    if (device_.is_cpu())
        give_freed_memory_back();
    else
        c10::getDeviceAllocator(device_.type())->emptyCache();
}

}  // namespace craft
