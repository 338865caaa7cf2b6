// libFuzzer target: a ZIP archive as torch.save() writes it. It is refused with an error, or its entries lie inside, apart
// from each other. Run as `pytorch_archive_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "model/files/zip_entries.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        std::vector<bool> taken(size);
        for (const auto& [name, entry] : craft::parse_stored_zip({reinterpret_cast<const char*>(data), size}, "fuzz")) {
            if (entry.begin > entry.end || entry.end > size) std::abort();
            for (uint64_t i = entry.begin; i < entry.end; ++i) {
                if (taken[i]) std::abort();
                taken[i] = true;
            }
        }
    } catch (const craft::Error&) {}
    return 0;
}
