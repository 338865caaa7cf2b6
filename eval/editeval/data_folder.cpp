#include "eval/editeval/data_folder.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "text/lists.h"
#include "text/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Whether a link leads to the folder in which it stands, or to one above.
bool leads_back(const fs::directory_entry& entry) {
    std::error_code problem;
    if (!entry.is_symlink(problem) || !entry.is_directory(problem)) return false;
    const fs::path target = fs::canonical(entry.path(), problem), here = fs::canonical(entry.path().parent_path(), problem);
    const auto differ = std::mismatch(target.begin(), target.end(), here.begin(), here.end());
    return !problem && differ.first == target.end();
}

// N of a name BESIDE-N, if that is how the number would be printed.
std::optional<size_t> number_after(const std::string& name, const std::string& beside) {
    constexpr size_t kMaxDigits = 6;
    if (!name.starts_with(beside)) return std::nullopt;
    const std::string digits = name.substr(beside.size());
    const bool is_number = !digits.empty() && digits.size() <= kMaxDigits &&
                           digits.find_first_not_of("0123456789") == std::string::npos &&
                           (digits.size() == 1 || digits[0] != '0');
    return is_number ? std::optional<size_t>(std::stoul(digits)) : std::nullopt;
}

}  // namespace

DataFolder::DataFolder(fs::path folder) : folder_(std::move(folder)) {
    constexpr size_t kMaxFiles = 100'000;
    std::error_code problem;
    if (!fs::is_directory(folder_, problem)) throw Error(folder_.string(), "a folder of data sets", "none");
    const fs::path whole = fs::absolute(folder_).lexically_normal();
    name_ = whole.has_filename() ? whole.filename() : whole.parent_path().filename();
    fs::recursive_directory_iterator at(folder_, fs::directory_options::follow_directory_symlink, problem);
    for (; !problem && at != fs::recursive_directory_iterator(); at.increment(problem)) {
        constexpr int kDeepest = 8;  // also the end of links that go in a circle over several folders
        if (at.depth() >= kDeepest || leads_back(*at)) at.disable_recursion_pending();
        std::error_code unreadable;
        if (!at->is_regular_file(unreadable)) continue;
        files_.push_back(at->path().lexically_relative(folder_));
        if (files_.size() > kMaxFiles)
            throw Error(folder_.string(), "a folder of data sets", "more than 100,000 files",
                        "give the folder that holds only them");
    }
    if (problem) throw Error(folder_.string() + ": " + problem.message());
    std::sort(files_.begin(), files_.end());
}

bool DataFolder::lies_within(const fs::path& file, const std::string& within) const {
    return lowercase((name_ / file).string()).find(within) != std::string::npos;
}

std::optional<fs::path> DataFolder::find(const std::vector<std::string>& names, const std::string& within,
                                         const std::vector<std::string>& without) const {
    std::vector<std::string> found;
    std::set<fs::path> different;
    for (const fs::path& file : files_) {
        const std::string name = lowercase(file.filename().string());
        const bool is_named =
            std::any_of(names.begin(), names.end(), [&](const auto& one) { return lowercase(one) == name; });
        const bool is_meant =
            is_named && lies_within(file, within) &&
            std::none_of(without.begin(), without.end(), [&](const std::string& one) { return lies_within(file, one); });
        if (is_meant && different.insert(fs::canonical(folder_ / file)).second) found.push_back(file.string());
    }
    if (found.empty()) return std::nullopt;
    if (found.size() > 1)
        throw Error(folder_.string(), "one file of the name " + join(names, " or "), listed(found),
                    "remove all but one of them from the folder");
    return folder_ / found[0];
}

std::vector<fs::path> DataFolder::find_all(const std::string& part, const std::string& within) const {
    std::vector<fs::path> found;
    std::set<fs::path> different;
    for (const fs::path& file : files_)
        if (lowercase(file.filename().string()).find(part) != std::string::npos && lies_within(file, within) &&
            different.insert(fs::canonical(folder_ / file)).second)
            found.push_back(folder_ / file);
    return found;
}

std::vector<fs::path> DataFolder::numbered_beside(const fs::path& file, const std::string& beside) {
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    std::set<size_t> numbers;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (const auto number = number_after(entry.path().filename().string(), beside)) numbers.insert(*number);
    std::vector<fs::path> found;
    for (const size_t number : numbers) {
        const fs::path next = file.parent_path() / (beside + std::to_string(found.size()));
        if (number != found.size())
            throw Error(next.string(), "a file, since " + beside + std::to_string(number) + " is there", "none");
        if (!fs::is_regular_file(next)) throw Error(next.string(), "a file", "something else");
        found.push_back(next);
    }
    return found;
}

}  // namespace craft
