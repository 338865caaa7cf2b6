#include "core/model_cache.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// A variable that is set but empty counts as unset, as huggingface_hub has it.
std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool is_name_part(const std::string& part) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.'; };
    return !part.empty() && part.front() != '.' && std::all_of(part.begin(), part.end(), fits);
}

// The cache's folder of a model whose name has the form "org/name"; empty for others.
fs::path cache_folder(const std::string& name) {
    const size_t slash = name.find('/');
    if (slash == std::string::npos) return {};
    const std::string org = name.substr(0, slash), model = name.substr(slash + 1);
    if (!is_name_part(org) || !is_name_part(model)) return {};
    return model_cache() / ("models--" + org + "--" + model);
}

void check_links(const fs::path& snapshot, const std::string& name) {
    for (const auto& entry : fs::recursive_directory_iterator(snapshot))
        if (std::error_code code; entry.is_symlink() && !fs::exists(entry.path(), code))
            throw Error(entry.path().string(), "a file of the Hugging Face cache",
                        "a link to " + fs::read_symlink(entry.path()).string() + ", which is gone",
                        "download " + name + " again");
}

}  // namespace

fs::path model_cache() {
    if (const std::string cache = variable("HF_HUB_CACHE"); !cache.empty()) return cache;
    if (const std::string home = variable("HF_HOME"); !home.empty()) return fs::path(home) / "hub";
    const std::string cache = variable("XDG_CACHE_HOME");
    return (cache.empty() ? fs::path(variable("HOME")) / ".cache" : fs::path(cache)) / "huggingface" / "hub";
}

fs::path named_model(const std::string& given) {
    std::error_code code;
    if (fs::exists(given, code)) return given;
    const fs::path folder = cache_folder(given);
    if (folder.empty() || !fs::is_directory(folder, code)) return given;

    const std::string again = "download " + given + " again";
    const fs::path main = folder / "refs" / "main";
    if (!fs::exists(main, code)) throw Error(main.string(), "the revision of " + given, "no such file", again);
    std::string revision = read_file(main);
    while (!revision.empty() && std::isspace(static_cast<unsigned char>(revision.back())) != 0) revision.pop_back();
    const fs::path snapshot = folder / "snapshots" / revision;
    if (!is_name_part(revision) || !fs::is_directory(snapshot, code))
        throw Error(main.string(), "a revision that is in snapshots/", "'" + revision + "'", again);
    check_links(snapshot, given);

    if (fs::exists(snapshot / "config.json", code)) return snapshot;
    std::vector<fs::path> gguf;
    for (const auto& entry : fs::directory_iterator(snapshot))
        if (entry.path().extension() == ".gguf") gguf.push_back(entry.path());
    if (gguf.size() > 1)
        throw Error(snapshot.string(), "a model folder or one GGUF file", std::to_string(gguf.size()) + " GGUF files",
                    "give the path of one of them");
    return gguf.empty() ? snapshot : gguf.front();
}

std::string download_hint(const fs::path& model) {
    std::error_code code;
    const fs::path folder = cache_folder(model.string());
    const bool is_path = fs::exists(model, code) || fs::exists(model.parent_path(), code);
    if (folder.empty() || is_path) return "";
    if (fs::is_directory(folder, code)) return "the Hugging Face cache has it in " + folder.string();
    return "no such path, and no model of this name in the Hugging Face cache " + model_cache().string() +
           ": `hf download " + model.string() + "` gets it if the hub has it";
}

}  // namespace craft
