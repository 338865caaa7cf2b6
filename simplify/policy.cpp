#include "simplify/policy.h"

#include <stdexcept>

#include "core/error.h"
#include "core/files.h"
#include "text/utf8.h"

namespace craft {

const std::vector<std::pair<std::string, SimplificationPolicy>>& simplification_policies() {
    static const std::vector<std::pair<std::string, SimplificationPolicy>> all = {
        {"lexical", SimplificationPolicy::lexical},
        {"rewriting", SimplificationPolicy::rewriting},
        {"document", SimplificationPolicy::document}};
    return all;
}

const std::vector<std::pair<std::string, SimplificationPolicy>>& sentence_policies() {
    static const std::vector<std::pair<std::string, SimplificationPolicy>> all(simplification_policies().begin(),
                                                                               simplification_policies().end() - 1);
    return all;
}

std::string policy_name(SimplificationPolicy policy) {
    for (const auto& [name, known] : simplification_policies())
        if (known == policy) return name;
    throw std::logic_error("a policy without a name");
}

std::string policy_guideline(SimplificationPolicy policy) {
    return policy == SimplificationPolicy::document ? "document.txt" : "sentence.txt";
}

std::string policy_aspect(SimplificationPolicy policy) {
    if (policy == SimplificationPolicy::document) return "";
    return policy == SimplificationPolicy::lexical ? "Lexical" : "Overall";
}

PolicyPrompt::PolicyPrompt(const PromptFiles& files, SimplificationPolicy policy) : policy_(policy) {
    const std::string name = "simplify." + policy_name(policy);
    system_ = files.text(name + ".txt", {});
    if (trim_view(system_).empty()) throw Error(files.path(name + ".txt").string(), "a system prompt", "none");
    const std::string file = files.path(name + ".json").string();
    const Json list = parse_json(read_file(file), file);
    if (!list.is_array() || list.size() != kMaxShots)
        throw Error(file, "a list of " + std::to_string(kMaxShots) + " examples {\"source\",\"text\"}",
                    list.is_array() ? std::to_string(list.size()) : std::string(list.type_name()));
    for (const Json& one : list) {
        const std::string where = file + ": example " + std::to_string(examples_.size());
        if (!one.is_object()) throw Error(where, "an object {\"source\",\"text\"}", one.type_name());
        Example example{string_field(one, "source", where), string_field(one, "text", where)};
        if (trim_view(example.source).empty() || trim_view(example.text).empty())
            throw Error(where, "a source and its simplified text", "an empty one");
        examples_.push_back(std::move(example));
    }
}

Conversation PolicyPrompt::ask(const std::string& text, size_t shots) const {
    if (shots > examples_.size())
        throw Error("examples of a policy", "at most " + std::to_string(examples_.size()), std::to_string(shots));
    std::vector<Message> messages = {{Role::system, system_}};
    for (size_t i = 0; i < shots; ++i) {
        messages.push_back({Role::user, examples_[i].source});
        messages.push_back({Role::assistant, examples_[i].text});
    }
    messages.push_back({Role::user, text});
    return messages;
}

}  // namespace craft
