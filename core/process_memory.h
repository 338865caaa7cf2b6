// Resident memory of this process, as Linux counts it: also pages of mapped files that were read.
#pragma once

#include <cstdint>

namespace craft {

int64_t resident_memory_bytes();
// Of that what no file holds, so that the system cannot take it back.
int64_t private_memory_bytes();
// The largest since the process began, or since forget_peak_memory().
int64_t peak_resident_bytes();
// The peak is counted again from here on; false where the system does not allow it (the peak then stays).
bool forget_peak_memory();
// Returns memory that was freed, and that the allocator kept for later, to the system.
void give_freed_memory_back();

}  // namespace craft
