// What a model is told to do, several times over for each task, and what it is shown (EditEval §6, App. B).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "eval/editeval/records.h"
#include "eval/editeval/task.h"

namespace craft {

class EditPrompts {
public:
    // {"fluency": ["Correct the mistakes", …], …}: an object of lists of different, non-empty strings, keyed by task; a task
    // may be absent. Throws Error naming file and key on anything else.
    static EditPrompts load(const std::filesystem::path& file);
    // share/prompts/editeval.json: the paper's numbers of prompts, in this project's words.
    static EditPrompts shipped();
    EditPrompts(const Json& object, const std::string& where);

    const std::vector<std::string>& of(EditTask task) const;  // empty: none
    const std::string& version() const { return version_; }   // a hash of all of them, for manifests
    Json to_json() const;

private:
    std::map<EditTask, std::vector<std::string>> prompts_;
    std::string version_;
};

// "Task: PROMPT\nInput: TEXT\nOutput:". Of updating, up to `max_documents` lines "[k] TEXT" stand before the last one, k
// from 0 on; line breaks within them become blanks. `first_word` is "Task" but for models that were trained with another one
// ("Definition").
std::string render_edit_prompt(const std::string& first_word, const std::string& prompt, const EditItem& item,
                               size_t max_documents = 3);

// What of a model's answer is the text: white space at both ends goes; an answer to a text of one line ends with its first
// line; any other one before a line that begins with one of the template's own words, with which models without an end
// continue.
std::string edited_text(const std::string& answer, const std::string& first_word, const EditItem& item);
// Where a model that continues may stop.
std::vector<std::string> stop_strings(const std::string& first_word);

}  // namespace craft
