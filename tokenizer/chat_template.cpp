#include "tokenizer/chat_template.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "tokenizer/chat_files.h"
#include "tokenizer/jinja_chat.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

fs::path shipped_folder() {
    return share_folder() / "chat_templates";
}

std::string known_list() {
    std::string list;
    for (const std::string& name : known_chat_templates()) list += (list.empty() ? "" : ", ") + name;
    return list;
}

}  // namespace

std::vector<std::string> known_chat_templates() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(shipped_folder()))
        if (entry.path().extension() == ".jinja") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::shared_ptr<ChatTemplate> open_chat_template(const fs::path& folder, const std::string& choice) {
    ChatFiles files = read_chat_files(folder);
    std::string name = "the folder's own";
    if (!choice.empty()) {
        const std::vector<std::string> known = known_chat_templates();
        const bool shipped = std::find(known.begin(), known.end(), choice) != known.end();
        if (!shipped && !fs::is_regular_file(choice)) throw_unknown("chat template", choice, known);
        const fs::path file = shipped ? shipped_folder() / (choice + ".jinja") : fs::path(choice);
        files.main = {read_file(file), file.string()};
        files.tool_use.reset();
        name = choice;
    }
    if (!files.main)
        throw Error(folder.string(),
                    "chat_template.jinja, or a chat_template in tokenizer_config.json or chat_template.json", "none of them",
                    "known templates, for --chat-template NAME: " + known_list());
    if (files.main->source.find_first_not_of(" \t\r\n") == std::string::npos)
        throw Error(files.main->where, "a chat template", "an empty one",
                    "known templates, for --chat-template NAME: " + known_list());
    return std::make_shared<JinjaChat>(name, files);
}

}  // namespace craft
