#include "systems/prompt_files.h"

#include "core/error.h"
#include "core/files.h"
#include "text/wording_table.h"

namespace craft {

namespace fs = std::filesystem;

PromptFiles::PromptFiles(fs::path folder) : folder_(std::move(folder)), shared_(share_folder() / "prompts") {
    if (folder_.empty()) return;
    if (!fs::is_directory(folder_)) throw Error(folder_.string(), "a folder of prompts", "none");
    std::vector<std::string> known;
    for (const auto& entry : fs::directory_iterator(shared_)) known.push_back(entry.path().filename().string());
    for (const auto& entry : fs::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        const std::string kind = entry.path().extension().string();
        if ((kind == ".txt" || kind == ".json") && !fs::exists(shared_ / name))
            throw_unknown("prompt file " + folder_.string() + "/", name, known);
    }
}

fs::path PromptFiles::path(const std::string& name) const {
    const fs::path own = folder_ / name;
    const fs::path file = !folder_.empty() && fs::exists(own) ? own : shared_ / name;
    versions_[name] = text_version(read_file(file));
    return file;
}

std::string PromptFiles::text(const std::string& name, const std::vector<std::string>& placeholders) const {
    const fs::path file = path(name);
    std::string text = read_file(file);
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
    for (const std::string& placeholder : placeholders)
        if (text.find("{" + placeholder + "}") == std::string::npos)
            throw Error(file.string(), "the placeholder {" + placeholder + "}", "none");
    return text;
}

}  // namespace craft
