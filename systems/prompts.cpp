#include "systems/prompts.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/model_files.h"
#include "text/wording_table.h"

namespace craft {

namespace {

constexpr const char* kPlannerFile = "planner.json";

bool is_prompt(const std::string& name) {
    return std::find(prompt_names().begin(), prompt_names().end(), name) != prompt_names().end();
}

}  // namespace

PromptTemplate::PromptTemplate(std::string text, const std::string& where) : text_(std::move(text)) {
    for (const char* slot : {"{instruction}", "{text}"})
        if (text_.find(slot) == std::string::npos) throw Error(where, std::string("the placeholder ") + slot, "none");
    version_ = text_version(text_);
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
    const std::filesystem::path file = located_model(folder) / kPlannerFile;
    if (!std::filesystem::exists(file)) return "";
    const std::string name = string_field(read_json_file(file), "prompt", file.string());
    if (!is_prompt(name))
        throw Error(file.string() + ": prompt", "one of those in share/prompts (compact, full)", "'" + name + "'");
    return name;
}

std::string planner_prompt(const std::string& choice, const std::filesystem::path& model,
                           const std::filesystem::path& adapter) {
    if (choice != "auto") return choice;
    std::string noted = adapter.empty() ? "" : noted_prompt(adapter);
    if (noted.empty()) noted = noted_prompt(model);
    return noted.empty() ? "full" : noted;
}

}  // namespace craft
