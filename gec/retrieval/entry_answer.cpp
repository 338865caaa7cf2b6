#include "gec/retrieval/entry_answer.h"

#include "data/reply_text.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr size_t kMaxEntries = 20;
constexpr size_t kLongestEntryField = 300;  // bytes

// An error of the fields alone, or "".
std::string read_fields(const Json& value, GrammarEntry& entry) {
    if (!value.is_object() || value.size() != 5) return "wrong fields";
    std::string modification;
    for (const auto& [name, target] : {std::pair<const char*, std::string*>{"knowledge", &entry.knowledge},
                                       {"modification", &modification},
                                       {"from", &entry.from},
                                       {"to", &entry.to},
                                       {"pattern", &entry.pattern}}) {
        const auto found = value.find(name);
        if (found == value.end() || !found->is_string()) return "wrong fields";
        *target = trim(found->get_ref<const std::string&>());
        if (target->size() > kLongestEntryField) return "wrong fields";
    }
    if (entry.knowledge.empty()) return "wrong fields";
    const auto known = modification_of(modification);
    if (!known) return "unknown modification";
    entry.modification = *known;
    return "";
}

std::string problem_of(const GrammarEntry& entry, const SentencePair& pair) {
    const bool inserts = entry.modification == EditOperation::insert, deletes = entry.modification == EditOperation::remove;
    if (entry.from.empty() != inserts || entry.to.empty() != deletes) return "words and modification do not agree";
    const bool stand_there =
        pair.source.find(entry.from) != std::string::npos && pair.target.find(entry.to) != std::string::npos;
    return stand_there ? "" : "words that are not in the sentences";
}

}  // namespace

EntryAnswer read_entry_answer(std::string_view reply, const SentencePair& pair) {
    std::string_view text = trim_view(reply);
    cut_fence(text);
    Json list;
    try {
        list = parse_json(std::string(text), "answer");
    } catch (const Error&) {
        return {{}, "no JSON"};
    }
    if (!list.is_array() || list.empty()) return {{}, "no list"};
    if (list.size() > kMaxEntries) return {{}, "too many entries"};
    EntryAnswer answer;
    for (const Json& value : list) {
        GrammarEntry entry;
        std::string problem = read_fields(value, entry);
        if (problem.empty()) problem = problem_of(entry, pair);
        if (!problem.empty()) return {{}, problem};
        answer.entries.push_back(std::move(entry));
    }
    return answer;
}

}  // namespace craft
