#include "data/instruction.h"

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"
#include "tools/craft/craft_tools.h"

namespace craft {

namespace {

const Json& array_field(const Json& row, const std::string& name, const std::string& where) {
    const auto found = row.find(name);
    if (found == row.end() || found->is_null())
        throw Error(where + ": field '" + name + "'", "a list of lists of calls", "none");
    if (!found->is_array()) throw Error(where + ": field '" + name + "'", "a list of lists of calls", found->type_name());
    return *found;
}

std::vector<ToolCall> group_from_json(const Json& group, const std::string& place) {
    if (!group.is_array() || group.empty())
        throw Error(place, "a list of one or more calls", shortened(dump_line(group), 80));
    std::vector<ToolCall> calls;
    for (const Json& call : group) {
        if (!call.is_string()) throw Error(place, "calls as strings", call.type_name());
        try {
            calls.push_back(parse_call(call.get_ref<const std::string&>()));
        } catch (const Error& error) {
            throw Error(place + ": " + error.what());
        }
    }
    return calls;
}

int domain_from_json(const Json& row, size_t constraints, const std::string& where) {
    const auto found = row.find("domain");
    if (found == row.end() || found->is_null()) return static_cast<int>(constraints);
    if (found->is_number_unsigned() && found->get<uint64_t>() < 100) return found->get<int>();
    if (found->is_string()) {
        const auto& name = found->get_ref<const std::string&>();
        const bool named = name.size() == 2 && (name[0] == 'c' || name[0] == 'C') && name[1] >= '0' && name[1] <= '9';
        if (named) return name[1] - '0';
    }
    throw Error(where + ": field 'domain'", "c0, c1, c2, c3, c4 or its number", shortened(dump_line(*found), 40));
}

}  // namespace

std::vector<ToolCall> Instruction::gold_calls() const {
    std::vector<ToolCall> calls;
    for (const auto& group : gold) calls.insert(calls.end(), group.begin(), group.end());
    return calls;
}

std::string domain_name(int domain) {
    return "c" + std::to_string(domain);
}

Json to_json(const Instruction& instruction) {
    Json row = {{"id", instruction.id},
                {"domain", domain_name(instruction.domain)},
                {"instruction", instruction.instruction},
                {"text", instruction.text}};
    Json groups = Json::array(), tools = Json::array();
    for (const auto& group : instruction.gold) {
        Json calls = Json::array();
        for (const ToolCall& call : group) {
            calls.push_back(normal_form(call));
            tools.push_back(calls.back());
        }
        groups.push_back(std::move(calls));
    }
    tools.push_back(normal_form(TextEval{}));
    row["constraints"] = std::move(groups);
    row["tools"] = std::move(tools);
    if (!instruction.wording.empty()) row["wording"] = instruction.wording;
    if (!instruction.phrases.empty()) row["phrases"] = instruction.phrases;
    return row;
}

Instruction instruction_from_json(const Json& row, const std::string& where) {
    Instruction instruction;
    instruction.id = id_text(row, where);
    instruction.instruction = string_field(row, "instruction", where);
    instruction.text = string_field(row, "text", where);
    instruction.wording = optional_string_field(row, "wording", where).value_or("");
    const Json& groups = array_field(row, "constraints", where);
    bool all_shaped = true;
    for (size_t i = 0; i < groups.size(); ++i) {
        instruction.gold.push_back(group_from_json(groups[i], where + ": constraint " + std::to_string(i + 1)));
        if (const auto constraint = constraint_from_calls(instruction.gold.back())) {
            instruction.constraints.push_back(*constraint);
        } else {
            all_shaped = false;
        }
    }
    if (const auto phrases = row.find("phrases"); phrases != row.end() && !phrases->is_null()) {
        const bool strings = phrases->is_array() && std::all_of(phrases->begin(), phrases->end(),
                                                                [](const Json& phrase) { return phrase.is_string(); });
        if (!strings || phrases->size() != groups.size())
            throw Error(where + ": field 'phrases'", std::to_string(groups.size()) + " strings, one per constraint",
                        shortened(dump_line(*phrases), 80));
        instruction.phrases = phrases->get<std::vector<std::string>>();
    }
    // Constraints and gold go in parallel or not at all.
    if (!all_shaped) instruction.constraints.clear();
    instruction.domain = domain_from_json(row, groups.size(), where);
    return instruction;
}

}  // namespace craft
