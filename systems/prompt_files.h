// Prompts that are files: those of share/prompts, or files of the same names in a folder of the user's, which come first.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

class PromptFiles {
public:
    // An empty folder: share/prompts alone. Throws Error if the folder is not there, or has a .txt or .json file of a name
    // that share/prompts does not have.
    explicit PromptFiles(std::filesystem::path folder = {});
    // Where NAME ("reviser.plan.txt") lies.
    std::filesystem::path path(const std::string& name) const;
    // Its text without the line breaks at its end. Throws Error if it lacks one of these placeholders ("text" for {text}).
    std::string text(const std::string& name, const std::vector<std::string>& placeholders) const;
    // {name: version} of the files that text() and path() met, for manifests.
    const Json& versions() const { return versions_; }

private:
    std::filesystem::path folder_, shared_;
    mutable Json versions_ = Json::object();
};

}  // namespace craft
