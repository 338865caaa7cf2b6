// A folder of data sets: their files are found by name, wherever in it they lie.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace craft {

class DataFolder {
public:
    // Looks through the folder and the folders in it; links that lead back to a folder above are not followed. Throws Error
    // if it is no folder or cannot be read, or holds more than 100,000 files.
    explicit DataFolder(std::filesystem::path folder);
    const std::filesystem::path& path() const { return folder_; }
    // The one file whose name is among `names` and whose path, from the folder's own name on, holds `within` and nothing of
    // `without`, all without regard to case; `within` may be empty. Links to one file are one. None: not there. Throws Error
    // if there are two.
    std::optional<std::filesystem::path> find(const std::vector<std::string>& names, const std::string& within = "",
                                              const std::vector<std::string>& without = {}) const;
    // All files whose name holds `part` and whose path holds `within`, in order, each once.
    std::vector<std::filesystem::path> find_all(const std::string& part, const std::string& within) const;
    // Files BESIDE0, BESIDE1 ... beside `file`. Throws Error where a number is left out, or its file is none.
    static std::vector<std::filesystem::path> numbered_beside(const std::filesystem::path& file, const std::string& beside);

private:
    bool lies_within(const std::filesystem::path& file, const std::string& within) const;

    std::filesystem::path folder_;
    std::filesystem::path name_;                // the folder's own, however it was given: "." and "fruit/" have one
    std::vector<std::filesystem::path> files_;  // below the folder, in order
};

}  // namespace craft
