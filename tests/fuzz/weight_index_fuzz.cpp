// libFuzzer target: a model.safetensors.index.json beside one shard with a tensor "a". It is refused with an error, or all
// that it names is in the shard. Run as `weight_index_fuzz -max_total_time=60`.
#include <torch/types.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "model/weights/weight_files.h"

namespace {

struct Folder {
    std::filesystem::path path = std::filesystem::temp_directory_path() / ("index-fuzz-" + std::to_string(::getpid()));
    Folder() {
        std::filesystem::create_directories(path);
        craft::write_safetensors(path / "one.safetensors", {{"a", at::zeros({2})}});
    }
    ~Folder() { std::filesystem::remove_all(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const Folder folder;
    std::ofstream(folder.path / "model.safetensors.index.json", std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        const craft::WeightFiles files(folder.path);
        for (const std::string& name : files.names())
            if (files.shape(name).size() != 1) std::abort();
    } catch (const craft::Error&) {}
    return 0;
}
