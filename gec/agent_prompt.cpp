#include "gec/agent_prompt.h"

#include <algorithm>

#include "gec/edit_action.h"
#include "text/lists.h"
#include "text/quoted_lines.h"

namespace craft {

namespace {

// "search_examples: {"concept": "..."} gives what it finds". The sentence is the one that stands, unless another is given.
std::string tool_line(const std::string& name, const std::vector<std::string>& parameters, const std::string& about) {
    std::string input;
    for (const std::string& parameter : parameters)
        if (parameter != "sentence") input += (input.empty() ? "" : ", ") + ("\"" + parameter + "\": \"...\"");
    return name + ": {" + input + "} gives " + about;
}

}  // namespace

AgentPrompt::AgentPrompt(const PromptFiles& prompts, const ToolSet& tools, const AgentPromptOptions& options)
    : options_(options),
      rules_(WordingTable::load(prompts.path("gec." + options.name + ".json"))),
      wordings_(WordingTable::load(prompts.path("gec.observations.json"))) {
    std::vector<std::string> offered;
    for (const std::string& name : tools.names()) {
        std::vector<std::string> parameters;
        for (const ParameterNames& names : tools.find(name)->parameters) parameters.push_back(names.front());
        offered.push_back(tool_line(name, parameters, wordings_.first("tools." + name)));
        tools_.emplace_back(name, std::move(parameters));
        actions_.push_back(name);
    }
    for (const std::string& name : edit_action_names()) actions_.push_back(name);
    if (options.reflection) actions_.emplace_back("withdraw");
    system_ = lines("rules");
    if (!offered.empty()) system_ += fill_in(lines("tools"), {{"tools", join(offered, "\n")}});
    system_ += lines("edits") + (options.reflection ? lines("reflection") : "") + lines("format");
    while (system_.ends_with("\n")) system_.pop_back();
}

std::string AgentPrompt::lines(const std::string& name) const {
    std::string text;
    for (const std::string& line : rules_.list(name)) text += line + "\n";
    return text;
}

std::vector<Message> AgentPrompt::begin(const std::string& sentence) const {
    return {{Role::system, system_}, {Role::user, told("sentence", {{"sentence", sentence}})}};
}

std::string AgentPrompt::told(const std::string& name, std::map<std::string, std::string> values) const {
    for (auto& [key, text] : values)
        if (key == "sentence" || key == "text" || key == "words" || key == "to") text = quoted_lines(text).text();
    values["actions"] = join(actions_, ", ");
    return fill_in(wordings_.first(name), values);
}

std::string AgentPrompt::rules() const {
    std::string text = lines("rules");
    while (text.ends_with("\n")) text.pop_back();
    return text;
}

Json AgentPrompt::schema_of(const std::string& name, const std::string& about, const std::vector<std::string>& parameters,
                            const std::vector<std::string>& required) const {
    Json properties = Json::object();
    for (const std::string& parameter : parameters)
        properties[parameter] = {{"type", parameter == "occurrence" ? "integer" : "string"},
                                 {"description", wordings_.first("parameters." + parameter)}};
    return {{"type", "function"},
            {"function",
             {{"name", name},
              {"description", about},
              {"parameters", {{"type", "object"}, {"properties", properties}, {"required", required}}}}}};
}

Json AgentPrompt::schemas() const {
    Json schemas = Json::array();
    for (const auto& [name, parameters] : tools_) {
        std::vector<std::string> required;
        for (const std::string& parameter : parameters)
            if (parameter != "sentence") required.push_back(parameter);
        schemas.push_back(schema_of(name, wordings_.first("tools." + name), parameters, required));
    }
    const auto edit = [&](const char* name, const std::vector<std::string>& parameters,
                          const std::vector<std::string>& required) {
        schemas.push_back(schema_of(name, wordings_.first(std::string("edits.") + name), parameters, required));
    };
    edit("insert", {"text", "after", "before", "occurrence"}, {"text"});
    edit("delete", {"words", "occurrence"}, {"words"});
    edit("transform", {"from", "to", "occurrence"}, {"from", "to"});
    edit("rearrange", {"from", "to", "occurrence"}, {"from", "to"});
    if (options_.reflection) edit("withdraw", {}, {});
    return schemas;
}

std::string quoted_text_of(const std::string& message) {
    std::string text;
    bool any = false;
    for (size_t at = 0; at < message.size();) {
        const size_t end = std::min(message.find('\n', at), message.size());
        std::string_view line = std::string_view(message).substr(at, end - at);
        at = end + 1;
        if (!line.starts_with(">")) continue;
        line.remove_prefix(line.starts_with("> ") ? 2 : 1);
        text.append(any ? "\n" : "").append(line);
        any = true;
    }
    return text;
}

}  // namespace craft
