#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

void add_file(XXH64_state_t* state, const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw Error(path.string() + ": cannot read: " + std::strerror(errno));
    std::array<char, 1 << 16> block{};
    while (in.read(block.data(), block.size()) || in.gcount() > 0)
        XXH64_update(state, block.data(), static_cast<size_t>(in.gcount()));
    if (in.bad()) throw Error(path.string() + ": cannot read: " + std::strerror(errno));
}

std::vector<fs::path> files_under(const fs::path& folder, const fs::path& without) {
    std::vector<fs::path> files;
    std::error_code code;
    for (auto entry = fs::recursive_directory_iterator(folder); entry != fs::recursive_directory_iterator(); ++entry) {
        if (entry->is_regular_file()) files.push_back(entry->path());
        if (entry->is_directory() && !without.empty() && fs::equivalent(entry->path(), without, code))
            entry.disable_recursion_pending();
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::string file_hash(const fs::path& path, const fs::path& without) {
    const std::unique_ptr<XXH64_state_t, decltype(&XXH64_freeState)> state(XXH64_createState(), &XXH64_freeState);
    XXH64_reset(state.get(), 0);
    std::error_code code;
    if (fs::is_directory(path, code)) {
        for (const auto& file : files_under(path, without)) {
            const std::string name = fs::relative(file, path).generic_string();
            XXH64_update(state.get(), name.c_str(), name.size() + 1);
            add_file(state.get(), file);
        }
    } else {
        add_file(state.get(), path);
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "xxh64:%016llx", static_cast<unsigned long long>(XXH64_digest(state.get())));
    return text.data();
}

}  // namespace craft
