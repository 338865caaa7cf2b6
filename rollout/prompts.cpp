#include "rollout/prompts.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"

namespace craft {

namespace {

constexpr const char* kPlannerFile = "planner.json";

bool is_prompt(const std::string& name) {
    return std::find(prompt_names().begin(), prompt_names().end(), name) != prompt_names().end();
}

std::string version_of(const std::string& bytes) {
    char digits[24];
    std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(stable_hash(bytes)));
    return digits;
}

void collect(const Json& value, const std::string& name, std::map<std::string, std::vector<std::string>>& out) {
    if (value.is_object())
        for (const auto& [key, inner] : value.items()) collect(inner, name.empty() ? key : name + "." + key, out);
    if (value.is_string()) out[name] = {value.get<std::string>()};
    if (value.is_array()) out[name] = value.get<std::vector<std::string>>();
}

}  // namespace

std::string fill_in(const std::string& text, const std::map<std::string, std::string>& values) {
    std::string out;
    for (size_t i = 0; i < text.size();) {
        const size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
        const auto found = close == std::string::npos ? values.end() : values.find(text.substr(i + 1, close - i - 1));
        if (found == values.end()) {
            out += text[i++];
        } else {
            out += found->second;
            i = close + 1;
        }
    }
    return out;
}

PromptTemplate::PromptTemplate(std::string text, const std::string& where) : text_(std::move(text)) {
    for (const char* slot : {"{instruction}", "{text}"})
        if (text_.find(slot) == std::string::npos) throw Error(where, std::string("the placeholder ") + slot, "none");
    version_ = version_of(text_);
}

PromptTemplate PromptTemplate::load(const std::filesystem::path& file) {
    std::string text = read_file(file);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return PromptTemplate(std::move(text), file.string());
}

PromptTemplate PromptTemplate::named(const std::string& name) {
    if (!is_prompt(name)) throw_unknown("prompt", name, prompt_names());
    return load(share_folder() / "prompts" / ("planner." + name + ".txt"));
}

bool PromptTemplate::begins(const std::string& message) const {
    return message.starts_with(text_.substr(0, std::min(text_.find("{instruction}"), text_.find("{text}"))));
}

std::string PromptTemplate::render(const Instruction& instruction) const {
    return fill_in(text_, {{"instruction", instruction.instruction}, {"text", instruction.text}});
}

const std::vector<std::string>& prompt_names() {
    static const std::vector<std::string> names = {"compact", "full"};
    return names;
}

std::string recognised_prompt(const std::string& message) {
    for (const std::string& name : prompt_names())
        if (PromptTemplate::named(name).begins(message)) return name;
    return "";
}

void note_prompt(const std::filesystem::path& folder, const std::string& name) {
    write_json_file(folder / kPlannerFile, {{"prompt", name}});
}

std::string noted_prompt(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kPlannerFile;
    if (!std::filesystem::exists(file)) return "";
    const std::string name = string_field(read_json_file(file), "prompt", file.string());
    if (!is_prompt(name))
        throw Error(file.string() + ": prompt", "one of those in share/prompts (compact, full)", "'" + name + "'");
    return name;
}

WordingTable WordingTable::load(const std::filesystem::path& file) {
    WordingTable table;
    const std::string bytes = read_file(file);
    table.file_ = file.string();
    table.version_ = version_of(bytes);
    try {
        collect(parse_json(bytes, table.file_), "", table.lists_);
    } catch (const nlohmann::json::exception& problem) {
        throw Error(table.file_ + ": " + problem.what());
    }
    for (const auto& [name, list] : table.lists_)
        if (list.empty()) throw Error(table.file_ + ": " + name, "at least one wording", "none");
    return table;
}

const std::vector<std::string>& WordingTable::list(const std::string& name) const {
    const auto found = lists_.find(name);
    if (found == lists_.end()) throw Error(file_, "wordings of '" + name + "'", "none");
    return found->second;
}

}  // namespace craft
