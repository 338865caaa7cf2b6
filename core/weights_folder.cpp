#include "core/weights_folder.h"

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace fs = std::filesystem;

fs::path weights_place(const fs::path& name, const fs::path& probe) {
    const fs::path below = fs::path("weights") / name;
    const auto is_there = [&](const fs::path& place) {
        std::error_code none;
        return fs::exists(probe.empty() ? place : place / probe, none);
    };
    if (is_there(below)) return below;
    fs::path share;
    try {
        share = share_folder();
    } catch (const Error&) {  // a program by itself, without files that ship
        return below;
    }
    const fs::path beside = fs::absolute(share).lexically_normal().parent_path() / below;
    return is_there(beside) ? beside : below;
}

}  // namespace craft
