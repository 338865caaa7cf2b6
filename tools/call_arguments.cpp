#include "tools/call_arguments.h"

#include <algorithm>
#include <array>
#include <map>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

struct WrongArguments {
    std::string problem;
};

// One parameter: the names that a keyword argument may use (CRAFT App. E.2's first).
using ParameterNames = std::vector<std::string>;

const ParameterNames kRelationNames{"relation", "action", "mode"};
const ParameterNames kKeywordNames{"keyword", "word"};

const std::map<std::string, std::vector<ParameterNames>, std::less<>>& signatures() {
    static const ParameterNames ids{"sentence_id", "sentence_ids", "ids", "id", "sentences"};
    static const std::map<std::string, std::vector<ParameterNames>, std::less<>> table{
        {"text_eval", {}},
        {"detect_keyword", {}},
        {"word_count_check", {{"count", "n", "word_count", "words"}, kRelationNames}},
        {"sentence_count_check", {{"count", "n", "sentence_count", "sentences"}, kRelationNames}},
        {"sentence_length_check", {{"length", "n", "count", "words"}, kRelationNames}},
        {"keyword_keep_removal_check", {kKeywordNames, kRelationNames}},
        {"keyword_frequency_check", {kKeywordNames, {"frequency", "n", "count", "times"}, kRelationNames}},
        {"sentence_modification_check", {ids, kRelationNames}},
        {"sentence_check", {ids, kRelationNames}},
    };
    return table;
}

// The arguments in the order of the signature.
std::vector<const Argument*> in_order(const RawCall& raw, const std::vector<ParameterNames>& parameters) {
    std::vector<const Argument*> ordered(parameters.size(), nullptr);
    size_t positional = 0;
    bool keyword_seen = false;
    for (const RawArgument& argument : raw.arguments) {
        size_t slot = positional;
        if (argument.keyword.empty()) {
            if (keyword_seen) throw WrongArguments{"a positional argument after a keyword argument"};
            ++positional;
        } else {
            keyword_seen = true;
            slot = 0;
            while (slot < parameters.size() &&
                   std::find(parameters[slot].begin(), parameters[slot].end(), argument.keyword) == parameters[slot].end()) {
                ++slot;
            }
            if (slot == parameters.size()) throw WrongArguments{"no parameter '" + argument.keyword + "'"};
        }
        if (slot >= ordered.size()) {
            throw WrongArguments{"expected " + std::to_string(ordered.size()) + " arguments, got " +
                                 std::to_string(raw.arguments.size())};
        }
        if (ordered[slot] != nullptr) throw WrongArguments{parameters[slot].front() + " is given twice"};
        ordered[slot] = &argument.value;
    }
    for (size_t slot = 0; slot < ordered.size(); ++slot) {
        if (ordered[slot] == nullptr) throw WrongArguments{parameters[slot].front() + " is missing"};
    }
    return ordered;
}

int64_t count_from(const Argument& argument, const std::string& what) {
    if (const auto* value = std::get_if<int64_t>(&argument)) return *value;
    throw WrongArguments{what + " must be a whole number from 0"};
}

const std::string& string_from(const Argument& argument, const std::string& what) {
    if (const auto* value = std::get_if<std::string>(&argument)) return *value;
    throw WrongArguments{what + " must be a quoted string"};
}

std::string keyword_from(const Argument& argument) {
    const std::string& keyword = string_from(argument, "keyword");
    if (keyword.empty()) throw WrongArguments{"keyword must not be empty"};
    return keyword;
}

Relation relation_from(const Argument& argument) {
    const std::string& name = string_from(argument, "relation");
    for (Relation relation : {Relation::less_than, Relation::more_than, Relation::equal}) {
        if (name == relation_name(relation)) return relation;
    }
    throw WrongArguments{"relation must be \"less than\", \"more than\" or \"equal\", got \"" + name + "\""};
}

// True for `yes`, false for `no`.
bool choice_from(const Argument& argument, const std::string& yes, const std::string& no) {
    const std::string& name = string_from(argument, "relation");
    if (name != yes && name != no)
        throw WrongArguments{"relation must be \"" + yes + "\" or \"" + no + "\", got \"" + name + "\""};
    return name == yes;
}

std::vector<int64_t> ids_from(const Argument& argument) {
    if (const auto* id = std::get_if<int64_t>(&argument)) return {*id};
    const auto* list = std::get_if<std::vector<ListItem>>(&argument);
    if (list == nullptr || list->empty()) throw WrongArguments{"sentence_id must be a list of sentence numbers"};
    std::vector<int64_t> ids;
    for (const ListItem& item : *list) {
        const auto* id = std::get_if<int64_t>(&item);
        if (id == nullptr) throw WrongArguments{"sentence_id must hold whole numbers only"};
        ids.push_back(*id);
    }
    return ids;
}

ToolCall typed_call(const std::string& name, const std::vector<const Argument*>& a) {
    if (name == "text_eval") return TextEval{};
    if (name == "detect_keyword") return DetectKeyword{};
    if (name == "word_count_check") return WordCountCheck{count_from(*a[0], "count"), relation_from(*a[1])};
    if (name == "sentence_count_check") return SentenceCountCheck{count_from(*a[0], "count"), relation_from(*a[1])};
    if (name == "sentence_length_check") return SentenceLengthCheck{count_from(*a[0], "length"), relation_from(*a[1])};
    if (name == "keyword_keep_removal_check") {
        return KeywordKeepRemovalCheck{keyword_from(*a[0]), choice_from(*a[1], "keep", "remove")};
    }
    if (name == "keyword_frequency_check") {
        return KeywordFrequencyCheck{keyword_from(*a[0]), count_from(*a[1], "frequency"), relation_from(*a[2])};
    }
    return SentenceModificationCheck{ids_from(*a[0]), choice_from(*a[1], "change", "unchange"), name == "sentence_check"};
}

}  // namespace

bool is_tool_name(std::string_view name) {
    return signatures().contains(name);
}

const std::vector<std::string>& tool_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> found;
        for (const auto& entry : signatures()) found.push_back(entry.first);
        return found;
    }();
    return names;
}

BoundCall bind_arguments(const RawCall& raw) {
    const auto found = signatures().find(raw.name);
    if (found == signatures().end()) {
        const std::string near = raw.name.size() <= 64 ? nearest_name(raw.name, tool_names()) : "";
        return {std::nullopt,
                "unknown tool: " + shortened(raw.name, 64) + (near.empty() ? "" : "; did you mean " + near + "?")};
    }
    try {
        return {typed_call(raw.name, in_order(raw, found->second)), ""};
    } catch (const WrongArguments& wrong) {
        return {std::nullopt, "wrong arguments: " + wrong.problem};
    }
}

}  // namespace craft
