#include "gec/retrieval/grammar_entry.h"

namespace craft {

std::optional<EditOperation> modification_of(std::string_view name) {
    for (const EditOperation one :
         {EditOperation::insert, EditOperation::remove, EditOperation::transform, EditOperation::rearrange})
        if (name == operation_name(one)) return one;
    return std::nullopt;
}

Json to_json(const GrammarEntry& entry) {
    return {{"knowledge", entry.knowledge},
            {"rule", entry.rule},
            {"modification", operation_name(entry.modification)},
            {"from", entry.from},
            {"to", entry.to},
            {"pattern", entry.pattern},
            {"type", entry.type}};
}

std::string word_pair_text(const GrammarEntry& entry) {
    const auto shown = [](const std::string& words) { return words.empty() ? std::string("nothing") : words; };
    return shown(entry.from) + " → " + shown(entry.to);
}

}  // namespace craft
