// Stands in for libFuzzer where CRAFT_FUZZ is off: runs a target once over every file of a folder, and over its first half.
// As `TARGET -runs=0 FOLDER`, which means the same to libFuzzer. A folder without files fails.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

// A copy of exactly this size, so that AddressSanitizer sees a read beyond it.
void run(const std::vector<char>& bytes, size_t size) {
    const std::vector<uint8_t> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int count, char** arguments) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(arguments[count - 1])) {
        std::printf("%s\n", entry.path().c_str());
        std::fflush(stdout);  // the last line names the file that a crash was in
        std::ifstream stream(entry.path(), std::ios::binary);
        const std::vector<char> bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
        run(bytes, bytes.size());
        run(bytes, bytes.size() / 2);
        ++files;
    }
    std::printf("%d files\n", files);
    return files > 0 ? 0 : 1;
}
