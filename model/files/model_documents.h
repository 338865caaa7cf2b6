// What --model names, as the documents of a Hugging Face folder: those of a folder are its files; those of a GGUF file are
// made of its metadata. Whoever reads a model's config, tokenizer or template reads it from here.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace craft {

class GgufFile;

class ModelDocuments {
public:
    // A folder, a GGUF file, or a folder that names where either lies (core/model_files.h). Throws Error: nothing there, or
    // whatever GgufFile refuses.
    explicit ModelDocuments(const std::filesystem::path& model);
    ~ModelDocuments();
    ModelDocuments(const ModelDocuments&) = delete;
    ModelDocuments& operator=(const ModelDocuments&) = delete;

    const std::filesystem::path& path() const { return path_; }  // the folder or the file
    bool is_gguf() const { return gguf_ != nullptr; }
    bool has(const std::string& name) const;  // "config.json", "additional_chat_templates/tool_use.jinja"
    // Its bytes. Throws Error naming where() if there is no such document, or the metadata it is made of is not usable.
    std::string text(const std::string& name) const;
    std::string where(const std::string& name) const;  // for messages: the file, and of a GGUF file what it stands for
    // The names of all documents that a GGUF file stands for; of a folder none: whoever copies one copies files.
    std::vector<std::string> made() const;

private:
    std::filesystem::path path_;
    std::unique_ptr<const GgufFile> gguf_;  // nullptr: a folder
};

}  // namespace craft
