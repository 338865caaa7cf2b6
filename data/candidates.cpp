#include "data/candidates.h"

#include "core/error.h"

namespace craft {

namespace {

Candidate candidate_from_json(const Json& object, const std::string& where, UnknownKeys* unknown) {
    if (!object.is_object()) throw Error(where, "an object {\"system\",\"text\"}", std::string(object.type_name()));
    Candidate candidate{string_field(object, "system", where), string_field(object, "text", where)};
    if (has_value(object, "cut")) {
        if (!object["cut"].is_boolean()) throw Error(where + ": field 'cut'", "true or false", object["cut"].dump());
        candidate.is_cut = object["cut"].get<bool>();
    }
    if (unknown) unknown->see(object, {"system", "text", "cut"}, "candidates.");
    return candidate;
}

}  // namespace

CandidateGroup candidate_group_from_json(const Json& row, const std::string& where, UnknownKeys* unknown) {
    CandidateGroup group{id_text(row, where),
                         string_field(row, "source", where),
                         optional_string_field(row, "policy", where).value_or(""),
                         {}};
    const auto list = row.find("candidates");
    if (list == row.end() || !list->is_array() || list->empty())
        throw Error(where + ": field 'candidates'", "a list of one or more candidates",
                    list == row.end() ? "no such field" : (list->is_array() ? "an empty list" : list->type_name()));
    for (const Json& object : *list)
        group.candidates.push_back(
            candidate_from_json(object, where + ": candidate " + std::to_string(group.candidates.size()), unknown));
    if (unknown) unknown->see(row, {"id", "source", "policy", "candidates"});
    return group;
}

Json to_json(const CandidateGroup& group) {
    Json row = {{"id", group.id}, {"source", group.source}};
    if (!group.policy.empty()) row["policy"] = group.policy;
    row["candidates"] = Json::array();
    for (const Candidate& one : group.candidates) {
        Json candidate = {{"system", one.system}, {"text", one.text}};
        if (one.is_cut) candidate["cut"] = true;
        row["candidates"].push_back(std::move(candidate));
    }
    return row;
}

}  // namespace craft
