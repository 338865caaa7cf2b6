#include "simplify/candidate_collection.h"

#include "simplify/feedback_counts.h"
#include "systems/usable_answers.h"

namespace craft {

namespace {

Json answer_json(const CollectedCandidates::One& one) {
    Json answer = {{"system", one.system}, {"text", one.made.text}};
    if (!one.made.failure.empty()) answer["failure"] = one.made.failure;
    if (!one.made.noted.empty()) answer["noted"] = leniency_kinds(one.made.noted);
    if (!one.made.first.empty()) answer["first"] = one.made.first;
    for (const CorrectionRound& round : one.made.rounds) answer["rounds"].push_back(to_json(round));
    return answer;
}

CollectedCandidates::One answer_from_json(const Json& object, const std::string& where) {
    CollectedCandidates::One one;
    one.system = string_field(object, "system", where);
    one.made.text = string_field(object, "text", where);
    one.made.failure = optional_string_field(object, "failure", where).value_or("");
    one.made.noted = leniency_of(object.value("noted", std::vector<std::string>()));
    one.made.first = optional_string_field(object, "first", where).value_or("");
    for (const Json& round : object.value("rounds", Json::array()))
        one.made.rounds.push_back(correction_round_from_json(round, where));
    return one;
}

}  // namespace

CandidateGroup CollectedCandidates::group() const {
    CandidateGroup made{id, source, policy, {}};
    for (const One& one : all)
        if (one.made.failure.empty()) made.candidates.push_back({one.system, one.made.text});
    return made;
}

CollectedCandidates collect_candidates(const SimplificationTask& task, SimplificationPolicy policy,
                                       const std::vector<const TextSimplifier*>& simplifiers) {
    CollectedCandidates collected{task.id, task.text, policy_name(policy), {}};
    for (const TextSimplifier* simplifier : simplifiers)
        collected.all.push_back({simplifier->name(), simplifier->simplify(task)});
    return collected;
}

Json to_json(const CollectedCandidates& collected) {
    Json row = {
        {"id", collected.id}, {"source", collected.source}, {"policy", collected.policy}, {"answers", Json::array()}};
    for (const CollectedCandidates::One& one : collected.all) row["answers"].push_back(answer_json(one));
    return row;
}

CollectedCandidates collected_from_json(const Json& row, const std::string& where) {
    CollectedCandidates collected{
        id_text(row, where), string_field(row, "source", where), string_field(row, "policy", where), {}};
    const auto answers = row.find("answers");
    if (answers == row.end() || !answers->is_array()) throw Error(where + ": field 'answers'", "a list of answers", "none");
    for (const Json& object : *answers) collected.all.push_back(answer_from_json(object, where));
    return collected;
}

void SimplificationCounts::add(const std::string& system, const Simplification& made) {
    Of& of = systems_[system];
    ++of.texts;
    if (made.failure.empty())
        ++of.made;
    else
        ++of.left_out[made.failure];
    add_leniency(of.noted, made.noted);
}

void SimplificationCounts::require_answers(const std::string& hint) const {
    for (const auto& [system, of] : systems_) {
        if (system.starts_with("rules:")) continue;  // whose reasons are no failures
        UsableAnswers answers;
        answers.add("", of.made);
        for (const auto& [reason, count] : of.left_out) answers.add(reason, count);
        answers.require_any(system, hint);
    }
}

Json SimplificationCounts::to_json() const {
    Json all = Json::object();
    for (const auto& [system, of] : systems_)
        all[system] = {{"texts", of.texts}, {"made", of.made}, {"left_out", of.left_out}, {"noted", of.noted}};
    return all;
}

}  // namespace craft
