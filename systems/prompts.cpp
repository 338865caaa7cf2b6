#include "systems/prompts.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"
#include "core/model_files.h"
#include "text/wording_table.h"

namespace craft {

namespace {

constexpr const char* kPlannerFile = "planner.json";
constexpr const char* kPlanPrompt = "plan";
constexpr const char *kInstruction = "{instruction}", *kText = "{text}", *kNumberedText = "{numbered_text}";

std::string numbered(const std::string& text, SentenceRule rule) {
    std::string out;
    size_t number = 0, copied = 0;
    for (const std::string_view sentence : sentence_views(text, rule)) {
        const size_t begin = static_cast<size_t>(sentence.data() - text.data());
        out.append(text, copied, begin - copied).append("[" + std::to_string(++number) + "] ");
        copied = begin;
    }
    return out.append(text, copied);
}

bool is_prompt(const std::string& name) {
    return std::find(prompt_names().begin(), prompt_names().end(), name) != prompt_names().end();
}

}  // namespace

PromptTemplate::PromptTemplate(std::string text, SentenceRule sentences, const std::string& where)
    : text_(std::move(text)), sentences_(sentences) {
    const auto holds = [&](const char* slot) { return text_.find(slot) != std::string::npos; };
    if (!holds(kInstruction)) throw Error(where, std::string("the placeholder ") + kInstruction, "none");
    if (!holds(kText) && !holds(kNumberedText))
        throw Error(where, std::string("the placeholder ") + kText + " or " + kNumberedText, "none");
    version_ = text_version(text_);
}

PromptTemplate PromptTemplate::load(const std::filesystem::path& file, SentenceRule sentences) {
    std::string text = read_file(file);
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return PromptTemplate(std::move(text), sentences, file.string());
}

PromptTemplate PromptTemplate::named(const std::string& name, SentenceRule sentences) {
    if (!is_prompt(name) && name != kPlanPrompt) throw_unknown("prompt", name, prompt_names());
    return load(share_folder() / "prompts" / ("planner." + name + ".txt"), sentences);
}

bool PromptTemplate::begins(const std::string& message) const {
    return message.starts_with(
        text_.substr(0, std::min({text_.find(kInstruction), text_.find(kText), text_.find(kNumberedText)})));
}

std::string PromptTemplate::render(const Instruction& instruction) const {
    std::map<std::string, std::string> values = {{"instruction", instruction.instruction}, {"text", instruction.text}};
    if (text_.find(kNumberedText) != std::string::npos) values["numbered_text"] = numbered(instruction.text, sentences_);
    return fill_in(text_, values);
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
    write_json_file(folder / kPlannerFile, {{"prompt", name}, {"version", PromptTemplate::named(name).version()}});
}

std::string noted_prompt(const std::filesystem::path& folder) {
    const std::filesystem::path file = located_model(folder) / kPlannerFile;
    if (!std::filesystem::exists(file)) return "";
    const Json note = read_json_file(file);
    const std::string name = string_field(note, "prompt", file.string());
    if (!is_prompt(name))
        throw Error(file.string() + ": prompt", "one of those in share/prompts (compact, full)", "'" + name + "'");
    if (note.contains("version") && note["version"] != PromptTemplate::named(name).version())
        log_warning(folder.string() + " was trained with the prompt '" + name +
                    "' in another version than share/prompts has");
    return name;
}

std::string planner_prompt(const std::string& choice, const std::filesystem::path& model,
                           const std::filesystem::path& adapter, const std::string& untrained) {
    if (choice != "auto") return choice;
    std::string noted = adapter.empty() ? "" : noted_prompt(adapter);
    if (noted.empty()) noted = noted_prompt(model);
    return noted.empty() ? untrained : noted;
}

}  // namespace craft
