#include "judge/verdicts/judgement_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "core/id_index.h"
#include "core/rows.h"
#include "core/utf8.h"

namespace craft {

namespace {

using Verdicts = std::map<std::string, ListwiseVerdict>;

Json verdicts_json(const Verdicts& verdicts) {
    if (verdicts.empty()) return nullptr;
    Json json = Json::object();
    for (const auto& [aspect, verdict] : verdicts) json[aspect] = {{"best", verdict.best}, {"worst", verdict.worst}};
    return json;
}

constexpr std::array<const char*, 3> kPairVerdicts = {"win", "tie", "loss"};  // by PairVerdict

Json duels_json(const std::vector<Duel>& duels) {
    Json json = Json::array();
    for (const Duel& duel : duels)
        json.push_back({duel.a, duel.b, duel.verdict ? Json(kPairVerdicts.at(static_cast<size_t>(*duel.verdict))) : Json()});
    return json;
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

// One reason, or each with its aspect.
Json reason_json(const Judgement& judgement) {
    std::set<std::string> different;
    std::string all;
    for (const auto& [aspect, reason] : judgement.reasons) {
        different.insert(reason);
        all += (all.empty() ? "" : "; ") + aspect + ": " + reason;
    }
    if (different.size() == 1) return *different.begin();
    if (different.empty() && judgement.verdicts.empty() && !judgement.attempts.empty())
        return judgement.attempts.back().problem;  // of a judge that is down
    return text_or_null(all);
}

Json attempt_json(const JudgingAttempt& attempt) {
    Json json = {{"shown", attempt.shown},
                 {"reply", attempt.reply},
                 {"thinking", text_or_null(attempt.thinking)},
                 {"verdict", verdicts_json(attempt.verdicts)},
                 {"reason", text_or_null(attempt.problem)},
                 {"let_pass", leniency_kinds(attempt.let_pass)}};
    if (attempt.is_failed) json["failed"] = true;
    return json;
}

// Whether the row tells all of its only answer already.
bool says_all(const JudgingAttempt& attempt, const Judgement& judgement, const Json& reason) {
    return attempt.shown == judgement.order && attempt.verdicts == judgement.verdicts &&
           text_or_null(attempt.problem) == reason;
}

Json row_of(const JudgedGroup& group, const Judgement& judgement) {
    const auto& attempts = judgement.attempts;
    Json row = {{"id", group.id},
                {"judge", judgement.judge},
                {"systems", group.systems},
                {"order", judgement.order},
                {"repeat", judgement.repeat},
                {"reply", attempts.empty() ? Json(nullptr) : Json(attempts.back().reply)},
                {"thinking", attempts.empty() ? Json(nullptr) : text_or_null(attempts.back().thinking)},
                {"verdict", verdicts_json(judgement.verdicts)},
                {"reason", reason_json(judgement)},
                {"let_pass", leniency_kinds(attempts.empty() ? Leniency() : attempts.back().let_pass)}};
    if (!judgement.reasons.empty()) row["reasons"] = judgement.reasons;
    for (const auto& score : judgement.scores) row["scores"].push_back(value_or_null(score));
    for (const auto& [aspect, marks] : judgement.marks)
        for (const auto& mark : marks) row["marks"][aspect].push_back(value_or_null(mark));
    for (const auto& [aspect, duels] : judgement.duels) row["duels"][aspect] = duels_json(duels);
    if (!judgement.noted.empty()) row["noted"] = judgement.noted;
    if (attempts.size() == 1 && says_all(attempts[0], judgement, row["reason"])) {
        if (attempts[0].is_failed) row["failed"] = true;
        return row;
    }
    for (const JudgingAttempt& attempt : attempts) row["attempts"].push_back(attempt_json(attempt));
    return row;
}

// Reading, with one line for whatever is of another kind.
template <class T>
T value_of(const Json& row, const char* name, const std::string& where, T otherwise) {
    if (!has_value(row, name)) return otherwise;
    try {
        return row.at(name).get<T>();
    } catch (const nlohmann::json::exception&) {
        throw Error(where + ": field '" + name + "'", "what `judge` writes there", shortened(dump_line(row.at(name)), 60));
    }
}

size_t number_of(const Json& verdict, const char* name, size_t candidates, const std::string& where) {
    const auto found = verdict.find(name);
    if (found == verdict.end() || !found->is_number_unsigned() || found->get<size_t>() >= candidates)
        throw Error(where + ": field 'verdict'", std::string("'") + name + "': the number of a candidate",
                    shortened(dump_line(verdict), 60));
    return found->get<size_t>();
}

Verdicts read_verdicts(const Json& row, size_t candidates, const std::string& where) {
    Verdicts verdicts;
    if (!has_value(row, "verdict")) return verdicts;
    if (!row["verdict"].is_object())
        throw Error(where + ": field 'verdict'", "an object by aspects, or null", shortened(dump_line(row["verdict"]), 60));
    for (const auto& [aspect, verdict] : row["verdict"].items()) {
        if (!verdict.is_object())
            throw Error(where + ": field 'verdict'", "{\"best\",\"worst\"} of each aspect",
                        shortened(dump_line(verdict), 60));
        verdicts[aspect] = {number_of(verdict, "best", candidates, where), number_of(verdict, "worst", candidates, where)};
    }
    return verdicts;
}

std::vector<size_t> read_numbers(const Json& row, const char* name, size_t candidates, const std::string& where) {
    const auto numbers = value_of<std::vector<size_t>>(row, name, where, {});
    std::set<size_t> once(numbers.begin(), numbers.end());
    if (once.size() != numbers.size() || (!once.empty() && *once.rbegin() >= candidates))
        throw Error(where + ": field '" + name + "'", "numbers of candidates, each once", dump_line(row.at(name)));
    return numbers;
}

std::vector<std::optional<double>> numbers_of_candidates(const std::vector<Json>& values, size_t candidates,
                                                         const std::string& field) {
    std::vector<std::optional<double>> numbers;
    for (const Json& value : values) {
        if (!value.is_null() && !value.is_number()) throw Error(field, "numbers or null", shortened(dump_line(value), 60));
        numbers.push_back(value.is_null() ? std::nullopt : std::optional(value.get<double>()));
    }
    if (!numbers.empty() && numbers.size() != candidates)
        throw Error(field, "one per candidate", std::to_string(numbers.size()));
    return numbers;
}

Duel read_duel(const Json& row, const std::vector<size_t>& order, const std::string& where) {
    const auto is_shown = [&](const Json& number) {
        return number.is_number_unsigned() && std::count(order.begin(), order.end(), number.get<size_t>()) > 0;
    };
    const auto verdict = row.is_array() && row.size() == 3 ? std::find_if(kPairVerdicts.begin(), kPairVerdicts.end(),
                                                                          [&](auto name) { return row[2] == name; })
                                                           : kPairVerdicts.end();
    if (!row.is_array() || row.size() != 3 || !is_shown(row[0]) || !is_shown(row[1]) || row[0] == row[1] ||
        (verdict == kPairVerdicts.end() && !row[2].is_null()))
        throw Error(where + ": field 'duels'", "[a, b, \"win\", \"tie\", \"loss\" or null] of two candidates in 'order'",
                    shortened(dump_line(row), 60));
    Duel duel{row[0].get<size_t>(), row[1].get<size_t>(), std::nullopt};
    if (verdict != kPairVerdicts.end()) duel.verdict = static_cast<PairVerdict>(verdict - kPairVerdicts.begin());
    return duel;
}

std::map<std::string, std::vector<Duel>> read_duels(const Json& row, const std::vector<size_t>& order,
                                                    const std::string& where) {
    std::map<std::string, std::vector<Duel>> duels;
    for (const auto& [aspect, all] : value_of<std::map<std::string, std::vector<Json>>>(row, "duels", where, {}))
        for (const Json& one : all) duels[aspect].push_back(read_duel(one, order, where));
    return duels;
}

JudgingAttempt read_attempt(const Json& row, std::vector<size_t> shown, size_t candidates, const std::string& where) {
    return {.reply = optional_string_field(row, "reply", where).value_or(""),
            .thinking = optional_string_field(row, "thinking", where).value_or(""),
            .let_pass = leniency_of(value_of<std::vector<std::string>>(row, "let_pass", where, {})),
            .problem = optional_string_field(row, "reason", where).value_or(""),
            .is_failed = value_of<bool>(row, "failed", where, false),
            .shown = std::move(shown),
            .verdicts = read_verdicts(row, candidates, where)};
}

Judgement read_judgement(const Json& row, size_t candidates, const std::string& where) {
    Judgement judgement{.judge = string_field(row, "judge", where),
                        .order = read_numbers(row, "order", candidates, where),
                        .repeat = value_of<uint64_t>(row, "repeat", where, 0),
                        .verdicts = read_verdicts(row, candidates, where),
                        .reasons = value_of<std::map<std::string, std::string>>(row, "reasons", where, {}),
                        .scores = numbers_of_candidates(value_of<std::vector<Json>>(row, "scores", where, {}), candidates,
                                                        where + ": field 'scores'"),
                        .noted = value_of<std::map<std::string, int64_t>>(row, "noted", where, {})};
    for (const auto& [aspect, marks] : value_of<std::map<std::string, std::vector<Json>>>(row, "marks", where, {}))
        judgement.marks[aspect] = numbers_of_candidates(marks, candidates, where + ": field 'marks'");
    judgement.duels = read_duels(row, judgement.order, where);
    if (has_value(row, "attempts")) {
        for (const Json& attempt : value_of<std::vector<Json>>(row, "attempts", where, {}))
            judgement.attempts.push_back(
                read_attempt(attempt, read_numbers(attempt, "shown", candidates, where), candidates, where));
    } else if (has_value(row, "reply")) {
        judgement.attempts.push_back(read_attempt(row, judgement.order, candidates, where));
    }
    return judgement;
}

}  // namespace

std::vector<Json> rows_of(const JudgedGroup& group) {
    std::vector<Json> rows;
    for (const Judgement& judgement : group.judgements) rows.push_back(row_of(group, judgement));
    return rows;
}

void add_row(std::vector<JudgedGroup>& groups, const Json& row, const std::string& where) {
    const std::string id = id_text(row, where);
    const auto systems = value_of<std::vector<std::string>>(row, "systems", where, {});
    if (groups.empty() || groups.back().id != id) groups.push_back({id, systems, {}});
    if (groups.back().systems != systems)
        throw Error(where + ": field 'systems'", "those of the group's row before", dump_line(Json(systems)));
    groups.back().judgements.push_back(read_judgement(row, systems.size(), where));
}

std::vector<JudgedGroup> read_judgements(const std::string& path, const JsonLinesOptions& options) {
    std::vector<JudgedGroup> groups;
    IdIndex ids;
    for_each_row(path, options, [&](const Json& row, const std::string& where) {
        const size_t before = groups.size();
        add_row(groups, row, where);
        if (groups.size() > before) ids.add(groups.back().id, before, where);
    });
    return groups;
}

}  // namespace craft
