#include "model/weights/device_memory.h"

#include <ATen/Context.h>
#include <c10/core/CachingDeviceAllocator.h>

#include "core/error.h"
#include "core/log.h"
#include "core/machine.h"
#include "core/process_memory.h"

namespace craft {

namespace {

std::string gigabytes(int64_t bytes) {
    const int64_t tenths = (bytes + 50'000'000) / 100'000'000;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GB";
}

// `most`: bytes; 0: not known. `held`: by this process, of these.
void refuse(const std::string& where, const MemoryNeed& need, const c10::Device& device, int64_t most, int64_t held) {
    if (most <= 0 || need.weights + need.besides + held <= most) return;
    throw Error(where,
                "memory for " + gigabytes(need.weights) + " of weights in " + need.form +
                    (need.besides > 0 ? " and " + gigabytes(need.besides) + " of " + need.purpose : ""),
                gigabytes(most) + (device.is_cpu() ? " in this machine" : " free on " + device.str()) +
                    (held > 0 ? ", of which this process holds " + gigabytes(held) : ""),
                need.hint);
}

}  // namespace

void refuse_beyond_memory(const std::string& where, const MemoryNeed& need, const c10::Device& device) {
    refuse(where, need, device, device.is_cpu() ? this_machine().memory_bytes : free_memory(device), 0);
}

void expect_memory(const std::string& where, const MemoryNeed& need, const c10::Device& device) {
    refuse_beyond_memory(where, need, device);
    const int64_t all = need.weights + need.besides, free = free_memory(device);
    if (free <= 0 || all <= free) return;
    if (device.is_cpu()) {
        give_freed_memory_back();  // what the allocator keeps is no loss
        refuse(where, need, device, this_machine().memory_bytes, private_memory_bytes());
    }
    log_warning(where + ": its weights take " + gigabytes(need.weights) + " of memory in " + need.form +
                (need.besides > 0 ? ", and " + need.purpose + " " + gigabytes(need.besides) : "") + "; " + gigabytes(free) +
                " are free");
}

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
