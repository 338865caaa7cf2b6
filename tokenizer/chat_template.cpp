#include "tokenizer/chat_template.h"

#include <functional>
#include <optional>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "tokenizer/chatml.h"
#include "tokenizer/jinja_form.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// A family of templates: one row here and one file beside this one.
struct Family {
    std::string name;
    std::function<std::vector<std::string>()> sources;  // Jinja texts that print alike
    std::function<std::shared_ptr<ChatTemplate>()> make;
};

const std::vector<Family>& families() {
    static const std::vector<Family> all = {{"chatml", chatml_sources, make_chatml}};
    return all;
}

// chat_template.jinja, else "chat_template" of tokenizer_config.json: a string or a list of named ones.
std::optional<std::pair<std::string, std::string>> template_source(const fs::path& folder) {
    if (const fs::path file = folder / "chat_template.jinja"; fs::exists(file)) return {{read_file(file), file.string()}};
    const fs::path file = folder / "tokenizer_config.json";
    if (!fs::exists(file)) return std::nullopt;
    const Json config = read_json_file(file);
    if (!config.is_object() || !config.contains("chat_template")) return std::nullopt;
    const Json& value = config["chat_template"];
    const std::string where = file.string() + ": chat_template";
    if (value.is_string()) return {{value.get<std::string>(), where}};
    if (value.is_array())
        for (const Json& entry : value)
            if (entry.is_object() && entry.value("name", "") == "default" && entry.contains("template"))
                return {{string_field(entry, "template", where), where}};
    throw Error(where, "a template or a list with one named default", value.type_name());
}

}  // namespace

std::shared_ptr<ChatTemplate> open_chat_template(const fs::path& folder) {
    std::string known;
    for (const Family& family : families()) known += (known.empty() ? "" : ", ") + family.name;
    const auto source = template_source(folder);
    if (!source)
        throw Error(folder.string(), "chat_template.jinja or a chat_template in tokenizer_config.json", "neither",
                    "known templates: " + known);
    const std::string form = jinja_form(source->first);
    for (const Family& family : families())
        for (const std::string& text : family.sources())
            if (jinja_form(text) == form) return family.make();
    throw Error(source->second, "a known chat template", "another one", "known: " + known);
}

}  // namespace craft
