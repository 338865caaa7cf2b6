#include "editeval/data_folder.h"

#include <algorithm>

#include "core/error.h"
#include "text/lists.h"
#include "text/utf8.h"

namespace craft {

namespace fs = std::filesystem;

DataFolder::DataFolder(fs::path folder) : folder_(std::move(folder)) {
    constexpr size_t kMostFiles = 100'000;
    std::error_code problem;
    if (!fs::is_directory(folder_, problem)) throw Error(folder_.string(), "a folder of data sets", "none");
    fs::recursive_directory_iterator at(folder_, fs::directory_options::follow_directory_symlink, problem);
    for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem)) {
        constexpr int kDeepest = 8;  // also the end of links that go in a circle
        if (at.depth() >= kDeepest) at.disable_recursion_pending();
        std::error_code unreadable;
        if (!at->is_regular_file(unreadable)) continue;
        files_.push_back(at->path().lexically_relative(folder_));
        if (files_.size() > kMostFiles)
            throw Error(folder_.string(), "a folder of data sets", "more than 100,000 files",
                        "give the folder that holds them alone");
    }
    if (problem) throw Error(folder_.string() + ": " + problem.message());
    std::sort(files_.begin(), files_.end());
}

bool DataFolder::lies_within(const fs::path& file, const std::string& within) const {
    return lowercase((folder_.filename() / file).string()).find(within) != std::string::npos;
}

std::optional<fs::path> DataFolder::find(const std::vector<std::string>& names, const std::string& within) const {
    std::vector<std::string> found;
    for (const fs::path& file : files_) {
        const std::string name = lowercase(file.filename().string());
        const bool is_named =
            std::any_of(names.begin(), names.end(), [&](const auto& one) { return lowercase(one) == name; });
        if (is_named && lies_within(file, within)) found.push_back(file.string());
    }
    if (found.empty()) return std::nullopt;
    if (found.size() > 1)
        throw Error(folder_.string(), "one file of the name " + join(names, " or "), listed(found),
                    "take all but one of them out of the folder");
    return folder_ / found[0];
}

std::vector<fs::path> DataFolder::find_all(const std::string& part, const std::string& within) const {
    std::vector<fs::path> found;
    for (const fs::path& file : files_)
        if (lowercase(file.filename().string()).find(part) != std::string::npos && lies_within(file, within))
            found.push_back(folder_ / file);
    return found;
}

std::vector<fs::path> DataFolder::numbered_beside(const fs::path& file, const std::string& beside) {
    std::vector<fs::path> found;
    for (;;) {
        const fs::path next = file.parent_path() / (beside + std::to_string(found.size()));
        if (!fs::is_regular_file(next)) return found;
        found.push_back(next);
    }
}

}  // namespace craft
