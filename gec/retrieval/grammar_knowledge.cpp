#include "gec/retrieval/grammar_knowledge.h"

#include "core/json.h"

namespace craft {

GrammarKnowledge GrammarKnowledge::load(const std::filesystem::path& file) {
    const Json tree = read_json_file(file);
    if (!tree.is_object()) throw Error(file.string(), "an object of types", "another value");
    GrammarKnowledge knowledge;
    for (const auto& [type, value] : tree.items()) {
        const std::string where = file.string() + ": " + type;
        if (!value.is_object()) throw Error(where, "{\"name\", \"rule\"}", "another value");
        GrammarConcept known{string_field(value, "name", where), string_field(value, "rule", where)};
        if (known.name.empty() || known.rule.empty()) throw Error(where, "a name and a rule", "an empty text");
        knowledge.concepts_[type] = std::move(known);
    }
    if (!knowledge.has("R:OTHER")) throw Error(file.string(), "the type R:OTHER", "none");
    return knowledge;
}

const GrammarConcept& GrammarKnowledge::of_type(const std::string& type) const {
    for (const std::string& name : {type, type.substr(0, 2) + "OTHER"})
        if (const auto found = concepts_.find(name); found != concepts_.end()) return found->second;
    return concepts_.at("R:OTHER");
}

}  // namespace craft
