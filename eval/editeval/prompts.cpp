#include "eval/editeval/prompts.h"

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/lists.h"
#include "text/utf8.h"

namespace craft {

EditPrompts EditPrompts::load(const std::filesystem::path& file) {
    return EditPrompts(read_json_file(file), file.string());
}

EditPrompts EditPrompts::shipped() {
    return load(share_folder() / "prompts" / "editeval.json");
}

EditPrompts::EditPrompts(const Json& object, const std::string& where) {
    if (!object.is_object()) throw Error(where, "an object of lists of prompts, by task", object.type_name());
    std::vector<std::string> known;
    for (const EditTask task : edit_tasks()) known.push_back(task_name(task));
    for (const auto& [key, list] : object.items()) {
        const auto named = std::find(known.begin(), known.end(), key);
        if (named == known.end()) throw Error(where + ": key '" + key + "'", "one of " + join(known, ", "), "another one");
        if (!list.is_array() || list.empty())
            throw Error(where + ": key '" + key + "'", "a list of prompts", list.dump().substr(0, 40));
        std::vector<std::string>& prompts = prompts_[edit_tasks()[static_cast<size_t>(named - known.begin())]];
        std::set<std::string> different;
        for (const Json& one : list) {
            if (!one.is_string() || trim_view(one.get_ref<const std::string&>()).empty() ||
                !different.insert(one.get<std::string>()).second)
                throw Error(where + ": key '" + key + "'", "different prompts that are not empty",
                            shortened(dump_line(one), 60));
            prompts.push_back(one.get<std::string>());
        }
    }
    version_ = hash_text(dump_line(to_json()));
}

const std::vector<std::string>& EditPrompts::of(EditTask task) const {
    static const std::vector<std::string> kNone;
    const auto found = prompts_.find(task);
    return found == prompts_.end() ? kNone : found->second;
}

Json EditPrompts::to_json() const {
    Json object = Json::object();
    for (const auto& [task, prompts] : prompts_) object[task_name(task)] = prompts;
    return object;
}

std::string render_edit_prompt(const std::string& first_word, const std::string& prompt, const EditItem& item,
                               size_t max_documents) {
    std::string text = first_word + ": " + prompt + "\nInput: " + item.input + "\n";
    for (size_t k = 0; k < std::min(max_documents, item.documents.size()); ++k) {
        std::string line = trim(item.documents[k].text);
        for (char& c : line)
            if (c == '\n' || c == '\r') c = ' ';
        text += "[" + std::to_string(k) + "] " + line + "\n";
    }
    return text + "Output:";
}

std::vector<std::string> stop_strings(const std::string& first_word) {
    return {"\n" + first_word + ":", "\nInput:"};
}

std::string edited_text(const std::string& answer, const std::string& first_word, const EditItem& item) {
    std::string text = trim(answer);
    size_t end = text.size();
    if (item.input.find('\n') == std::string::npos) end = std::min(end, text.find_first_of("\r\n"));
    for (const std::string& stop : stop_strings(first_word)) end = std::min(end, text.find(stop));
    return trim(std::string_view(text).substr(0, end));
}

}  // namespace craft
