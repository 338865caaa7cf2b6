#include "core/model_files.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kReferenceFormat = "craft-train model reference";
constexpr int64_t kReferenceVersion = 1;
constexpr const char* kMoreTemplates = "additional_chat_templates";
constexpr const char* kAdapterConfig = "adapter_config.json";
constexpr std::array<const char*, 5> kEndings = {".json", ".jinja", ".model", ".txt", ".safetensors"};

constexpr const char *kWeights = ".safetensors", *kOldWeights = ".bin";

// pytorch_model.bin or its shards, which are read where there is nothing else.
bool is_old_weights(const fs::path& name) {
    return name.extension() == kOldWeights && name.string().starts_with("pytorch_model");
}

bool lies_within(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Where the files of a real folder in the Hugging Face cache lie; empty for other folders.
fs::path blobs_beside(const fs::path& folder) {
    for (fs::path inner = folder; inner.has_relative_path(); inner = inner.parent_path())
        if (inner.parent_path().filename() == "snapshots") return inner.parent_path().parent_path() / "blobs";
    return {};
}

std::string hash_of_model(const fs::path& model, FileHashes& known) {
    std::string listing;  // names and hashes
    const auto add = [&](const fs::path& name, const fs::path& file) {
        listing += name.generic_string() + '\0' + known.hash(file) + '\n';
    };
    if (is_model_file(model))
        for (const fs::path& part : model_parts(model)) add(part.filename(), part);
    else
        for (const fs::path& name : model_file_names(model)) add(name, model / name);
    return hash_text(listing);
}

struct ModelReference {
    fs::path model;
    std::string hash;
    Json files;
};

ModelReference read_reference(const fs::path& file) {
    const std::string where = file.string();
    const Json json = read_json_file(file);
    if (!json.is_object() || json.value("format", Json()) != kReferenceFormat)
        throw Error(where + ": format", kReferenceFormat, "something else");
    if (const Json version = json.value("version", Json()); version != kReferenceVersion)
        throw Error(where + ": version", std::to_string(kReferenceVersion), dump_line(version),
                    "written by another version of craft-train");
    return {string_field(json, "model", where), string_field(json, "hash", where), json.value("files", Json())};
}

}  // namespace

bool is_model_file(const fs::path& model) {
    std::error_code code;
    return fs::is_regular_file(model, code);
}

std::vector<fs::path> model_parts(const fs::path& file) {
    // "NAME-00002-of-00003.gguf", as llama.cpp's gguf-split writes it.
    constexpr size_t kNumber = 5, kEnding = 20;  // "-00002-of-00003.gguf"
    constexpr const char* kDigits = "0123456789";
    const std::string name = file.filename().string();
    const std::string ending = name.size() > kEnding ? name.substr(name.size() - kEnding) : "";
    const std::string total = ending.empty() ? "" : ending.substr(10, kNumber);
    const bool is_numbered = !ending.empty() && ending[0] == '-' && ending.substr(6, 4) == "-of-" &&
                             ending.ends_with(".gguf") &&
                             (ending.substr(1, kNumber) + total).find_first_not_of(kDigits) == std::string::npos;
    if (!is_numbered) return {file};
    std::vector<fs::path> parts;
    for (int part = 1; part <= std::stoi(total); ++part) {
        std::string number = std::to_string(part);
        number.insert(0, kNumber - number.size(), '0');
        const std::string base = name.substr(0, name.size() - kEnding);
        parts.push_back(file.parent_path() / (base + "-" + number + "-of-" + total + ".gguf"));
        if (!is_model_file(parts.back()))
            throw Error(parts.back().string(),
                        "part " + std::to_string(part) + " of " + std::to_string(std::stoi(total)) + " of the model",
                        "no such file", "the download is not complete");
    }
    if (parts.empty()) throw Error(file.string(), "a part of a split model, 1 or more in all", name);
    return parts;
}

std::vector<fs::path> model_file_names(const fs::path& folder) {
    std::vector<fs::path> names;
    for (const fs::path& inner : {fs::path(), fs::path(kMoreTemplates)}) {
        if (!fs::is_directory(folder / inner)) continue;
        for (const auto& entry : fs::directory_iterator(folder / inner)) {
            const std::string ending = entry.path().extension();
            const bool is_read = std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
            const bool is_old = inner.empty() && is_old_weights(entry.path().filename());
            if ((is_read || is_old) && entry.is_regular_file()) names.push_back(inner / entry.path().filename());
        }
    }
    if (std::any_of(names.begin(), names.end(), [](const fs::path& name) { return name.extension() == kWeights; }))
        std::erase_if(names, is_old_weights);
    std::sort(names.begin(), names.end());
    return names;
}

fs::path adapter_folder(const fs::path& given) {
    std::error_code code;
    const fs::path inside = given / "adapter";
    return !fs::exists(given / kAdapterConfig, code) && fs::exists(inside / kAdapterConfig, code) ? inside : given;
}

std::vector<fs::path> adapters_below(const fs::path& folder) {
    constexpr int kLevels = 3;
    std::vector<fs::path> found;
    std::error_code code;
    for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
        if (entry.depth() >= kLevels) entry.disable_recursion_pending();
        if (entry->path().filename() == kAdapterConfig) found.push_back(entry->path().parent_path());
    }
    std::sort(found.begin(), found.end());
    return found;
}

fs::path own_file(const fs::path& folder, const fs::path& name) {
    const fs::path real = fs::canonical(folder / name), root = fs::canonical(folder), blobs = blobs_beside(root);
    if (lies_within(real, root) || (!blobs.empty() && lies_within(real, blobs))) return folder / name;
    throw Error((folder / name).string(), "a file of the model's own folder, to be copied",
                "a link to " + real.string() + " outside of it", "put the file itself in the link's place");
}

void check_own_files(const fs::path& model) {
    const fs::path folder = located_model(model);
    if (is_model_file(folder)) return;  // no file of it is copied as it is
    for (const fs::path& name : model_file_names(folder))
        if (name.extension() != kWeights && !is_old_weights(name)) own_file(folder, name);
}

void write_model_reference(const fs::path& model, const fs::path& folder, FileHashes known) {
    // The parts of a split file are found by its name, which must not become that of what it links to.
    const fs::path lies = fs::absolute(located_model(model));
    const fs::path real = is_model_file(lies) ? fs::canonical(lies.parent_path()) / lies.filename() : fs::canonical(lies);
    const std::string hash = hash_of_model(real, known);
    write_json_file(folder / kModelReference, {{"format", kReferenceFormat},
                                               {"version", kReferenceVersion},
                                               {"model", real.string()},
                                               {"hash", hash},
                                               {"files", known.records()}});
    const fs::path chat_template = model / "chat_template.jinja";
    if (model != located_model(model) && fs::exists(chat_template))
        copy_file_atomic(chat_template, folder / chat_template.filename());
}

fs::path located_model(const fs::path& given) {
    const fs::path file = given / kModelReference;
    std::error_code code;
    if (!fs::exists(file, code)) return given;
    const ModelReference reference = read_reference(file);
    if (!fs::is_directory(reference.model, code) && !is_model_file(reference.model))
        throw Error(file.string(), "the model in " + reference.model.string(), "no such folder or file",
                    "put it back there, or give the model itself in place of " + given.string());
    // A model is opened in several steps: what one of them has read, the next ones know.
    static std::mutex mutex;
    static std::map<std::string, FileHashes> known;
    const std::lock_guard lock(mutex);
    const std::string key = fs::absolute(file).string();
    FileHashes& hashes = known.try_emplace(key, reference.files).first->second;
    if (const std::string hash = hash_of_model(reference.model, hashes); hash != reference.hash)
        throw Error(file.string(), "the model " + reference.hash + " in " + reference.model.string(), "another one, " + hash,
                    "its files were changed after " + given.string() + " was made");
    return reference.model;
}

}  // namespace craft
