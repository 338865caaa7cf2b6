// libFuzzer target: a model.safetensors.index.json. It is refused with an error, or names files of its own folder only. Run
// as `weight_index_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "core/error.h"
#include "core/json.h"
#include "model/files/weight_index.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::filesystem::path folder = "/folder";
    try {
        const craft::Json index = craft::parse_json(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
        const auto places = craft::parse_weight_index(index, "fuzz");
        if (places.empty()) std::abort();
        for (const auto& [tensor, file] : places) {
            const std::filesystem::path path = (folder / file).lexically_normal();
            if (path.parent_path() != folder || path == folder || !path.has_filename()) std::abort();
        }
    } catch (const craft::Error&) {}
    return 0;
}
