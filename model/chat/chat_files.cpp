#include "model/chat/chat_files.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "model/files/model_documents.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

void add_template(ChatFiles& files, const std::string& name, TemplateText text) {
    if (name == "default")
        files.main = std::move(text);
    else if (name == "tool_use")
        files.tool_use = std::move(text);
}

// "chat_template": a text or a list of named ones.
void read_templates(ChatFiles& files, const Json& config, const std::string& file) {
    if (!config.is_object() || !config.contains("chat_template") || config["chat_template"].is_null()) return;
    const Json& value = config["chat_template"];
    const std::string where = file + ": chat_template";
    if (value.is_string()) return add_template(files, "default", {value.get<std::string>(), where});
    if (!value.is_array() && !value.is_object()) throw Error(where, "a template or a list of named ones", value.type_name());
    if (value.is_object()) {
        for (const auto& [name, text] : value.items())
            if (text.is_string()) add_template(files, name, {text.get<std::string>(), where + " '" + name + "'"});
    } else {
        for (const Json& entry : value) {
            const std::string name = string_field(entry, "name", where);
            add_template(files, name, {string_field(entry, "template", where), where + " '" + name + "'"});
        }
    }
    if (!files.main) throw Error(where, "a list with one named default", "none of that name");
}

// A token is a string or an object with "content".
std::string token_text(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_object() && value.contains("content") && value["content"].is_string())
        return value["content"].get<std::string>();
    return "";
}

void read_special_tokens(ChatFiles& files, const Json& config) {
    if (!config.is_object()) return;
    for (const auto& [key, value] : config.items()) {
        const std::string text = token_text(value);
        const bool known = std::any_of(files.special_tokens.begin(), files.special_tokens.end(),
                                       [&name = key](const auto& entry) { return entry.first == name; });
        if (!key.ends_with("_token") || text.empty() || known) continue;
        files.special_tokens.emplace_back(key, text);
        files.spellings.push_back(text);
    }
    if (!config.contains("added_tokens_decoder") || !config["added_tokens_decoder"].is_object()) return;
    for (const auto& [id, token] : config["added_tokens_decoder"].items())
        if (const std::string text = token_text(token); !text.empty()) files.spellings.push_back(text);
}

}  // namespace

ChatFiles read_chat_files(const fs::path& given) {
    const ModelDocuments model(given);
    ChatFiles files;
    for (const char* name : {"chat_template.json", "tokenizer_config.json", "special_tokens_map.json"}) {
        if (!model.has(name)) continue;
        const Json config = parse_json(model.text(name), model.where(name));
        if (std::string_view(name) != "special_tokens_map.json") read_templates(files, config, model.where(name));
        if (std::string_view(name) != "chat_template.json") read_special_tokens(files, config);
    }
    if (const std::string name = "chat_template.jinja"; model.has(name)) {
        files.main = {model.text(name), model.where(name)};
        files.tool_use.reset();
    }
    if (const std::string name = "additional_chat_templates/tool_use.jinja"; model.has(name))
        files.tool_use = {model.text(name), model.where(name)};
    // Beside a reference to the model lies the template that a run was given in place of the model's.
    if (const fs::path file = given / "chat_template.jinja"; model.path() != given && fs::exists(file)) {
        files.main = {read_file(file), file.string()};
        files.tool_use.reset();
    }
    return files;
}

}  // namespace craft
