// libFuzzer target: any bytes as a file of preference pairs. They are refused with an error, or their first pairs are read
// and can be written again. HDF5 reads most of it: as of segment_fuzz, build it with sanitizers, too, to look into it. Run
// as `pair_file_fuzz -max_total_time=60 CORPUS`, where CORPUS holds a small file or two.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "data/pair_file.h"

namespace {

// A file with a name: HDF5 opens none that has lost it.
struct NamedFile {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("craft-pair-fuzz-" + std::to_string(::getpid()) + ".h5");
    ~NamedFile() { std::filesystem::remove(path); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    constexpr int64_t kMostRead = 20;
    static const NamedFile file;
    std::ofstream(file.path, std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        craft::PairFileReader pairs(file.path);
        craft::PairFileBuilder builder;
        for (int64_t i = 0; i < std::min(pairs.pairs(), kMostRead); ++i) builder.add(pairs.read(i));
    } catch (const craft::Error&) {}
    return 0;
}
