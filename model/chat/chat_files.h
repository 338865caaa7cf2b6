// What the files of a model folder say about its chat template. Inside model/chat/ only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace craft {

struct TemplateText {
    std::string source;
    std::string where;  // file, and the key in it
};

struct ChatFiles {
    std::optional<TemplateText> main, tool_use;
    // bos_token, eos_token ... : what templates know them by.
    std::vector<std::pair<std::string, std::string>> special_tokens;
    std::vector<std::string> spellings;  // of all special tokens that tokenizer_config.json names
};

// Throws Error naming the file on what cannot be read.
ChatFiles read_chat_files(const std::filesystem::path& folder);

}  // namespace craft
