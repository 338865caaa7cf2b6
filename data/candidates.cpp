#include "data/candidates.h"

#include "core/error.h"

namespace craft {

namespace {

std::map<std::string, double> candidate_scores(const Json& object, const std::string& where) {
    if (!object.is_object()) throw Error(where, "an object of numbers", object.type_name());
    std::map<std::string, double> scores;
    for (const auto& [name, value] : object.items()) {
        if (value.is_null()) continue;
        if (!value.is_number()) throw Error(where + ": field '" + name + "'", "a number", value.type_name());
        scores[name] = value.get<double>();
    }
    return scores;
}

Candidate candidate_from_json(const Json& object, const std::string& where, UnknownKeys* unknown) {
    if (!object.is_object()) throw Error(where, "an object {\"system\",\"text\"}", std::string(object.type_name()));
    Candidate candidate{.system = string_field(object, "system", where), .text = string_field(object, "text", where)};
    if (has_value(object, "cut")) {
        if (!object["cut"].is_boolean()) throw Error(where + ": field 'cut'", "true or false", object["cut"].dump());
        candidate.is_cut = object["cut"].get<bool>();
    }
    if (has_value(object, "scores")) candidate.scores = candidate_scores(object["scores"], where + ": field 'scores'");
    candidate.response = optional_string_field(object, "response", where);
    if (unknown) unknown->see(object, {"system", "text", "response", "cut", "scores"}, "candidates.");
    return candidate;
}

}  // namespace

CandidateGroup candidate_group_from_json(const Json& row, const std::string& where, UnknownKeys* unknown) {
    CandidateGroup group{id_text(row, where),
                         string_field(row, "source", where),
                         optional_string_field(row, "policy", where).value_or(""),
                         {},
                         optional_string_field(row, "instruction", where)};
    const auto list = row.find("candidates");
    if (list == row.end() || !list->is_array() || list->empty())
        throw Error(where + ": field 'candidates'", "a list of one or more candidates",
                    list == row.end() ? "no such field" : (list->is_array() ? "an empty list" : list->type_name()));
    for (const Json& object : *list)
        group.candidates.push_back(
            candidate_from_json(object, where + ": candidate " + std::to_string(group.candidates.size()), unknown));
    if (unknown) unknown->see(row, {"id", "source", "policy", "instruction", "candidates"});
    return group;
}

Json to_json(const CandidateGroup& group) {
    Json row = {{"id", group.id}, {"source", group.source}};
    if (!group.policy.empty()) row["policy"] = group.policy;
    if (group.instruction) row["instruction"] = *group.instruction;
    row["candidates"] = Json::array();
    for (const Candidate& one : group.candidates) {
        Json candidate = {{"system", one.system}, {"text", one.text}};
        if (one.response) candidate["response"] = *one.response;
        if (one.is_cut) candidate["cut"] = true;
        if (!one.scores.empty()) candidate["scores"] = one.scores;
        row["candidates"].push_back(std::move(candidate));
    }
    return row;
}

}  // namespace craft
