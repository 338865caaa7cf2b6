// What the agent's model is shown: rules, tools, the sentence, and what came of its steps. All of it is worded in
// share/prompts (gec.full.json, gec.short.json, gec.observations.json).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/message.h"
#include "systems/prompt_files.h"
#include "text/wording_table.h"
#include "tools/tool_set.h"

namespace craft {

struct AgentPromptOptions {
    std::string name = "full";  // share/prompts/gec.NAME.json: full, short for small models, trained for trained ones
    bool reflection = true;     // off: nothing is said of reflection, and nothing can be withdrawn
};

class AgentPrompt {
public:
    // Throws Error as WordingTable::load() does, and where a tool of the set has no wording.
    AgentPrompt(const PromptFiles& prompts, const ToolSet& tools, const AgentPromptOptions& options);

    // The system's message and the user's, which shows the sentence as lines prefixed with ">" (text/quoted_lines.h).
    std::vector<Message> begin(const std::string& sentence) const;
    // What the model is told, by the wording's name ("changed", "refused.absent"). The values "sentence", "text" and "words"
    // are texts of others: they come as lines prefixed with ">".
    std::string told(const std::string& name, std::map<std::string, std::string> values) const;
    // The rules alone, for models that are given tools as schemas.
    std::string rules() const;
    // JSON schemas of tools and edits, as chat templates take them in `tools`.
    Json schemas() const;
    bool reflection() const { return options_.reflection; }
    // Names of everything that can be called, for messages.
    const std::vector<std::string>& actions() const { return actions_; }

private:
    std::string lines(const std::string& name) const;
    Json schema_of(const std::string& name, const std::string& about, const std::vector<std::string>& parameters,
                   const std::vector<std::string>& required) const;

    AgentPromptOptions options_;
    WordingTable rules_, wordings_;
    std::vector<std::pair<std::string, std::vector<std::string>>> tools_;  // names and parameters
    std::vector<std::string> actions_;
    std::string system_;
};

// The lines prefixed with ">" of a message, as one text: the sentence or the finding that it shows. For systems that are
// programs.
std::string quoted_text_of(const std::string& message);

}  // namespace craft
