// Judgements as rows of a file, which holds every answer as it came.
#pragma once

#include <string>
#include <vector>

#include "core/json.h"
#include "judge/verdicts/candidate_judge.h"

namespace craft {

// All that was said of one group.
struct JudgedGroup {
    std::string id;
    std::vector<std::string> systems;  // of its candidates, by number
    std::vector<Judgement> judgements;
};

// A row a judgement: {"id","judge","systems","order","repeat","reply","thinking","verdict","reason","let_pass"} and, where
// there are such, "reasons" (by aspect), "scores" (by candidate), "marks" (by aspect, then candidate), "duels", "noted",
// "failed" and "attempts".
//   "order"     candidates' numbers in the order in which they were shown
//   "reply"     the last answer; null: nobody was asked
//   "verdict"   {aspect: {"best","worst"}}, candidates' numbers; null: none
//   "reason"    why an aspect has none, by aspect where several have different reasons; null: all have one
//   "duels"     {aspect: [[a, b, "win" | "tie" | "loss" | null]]} of candidates' numbers: what a came to, null: no verdict
//   "attempts"  every answer, where there were several: {"shown","reply","thinking","verdict","reason","let_pass","failed"},
//               of the candidates that its question showed
std::vector<Json> rows_of(const JudgedGroup& group);
// Adds what a row says to the last of these groups if it has the row's id, else to a new one. Throws Error naming `where`
// and the field on another form, and where a group's systems are not those of its rows before.
void add_row(std::vector<JudgedGroup>& groups, const Json& row, const std::string& where);
// A file of such rows. Throws Error on a bad row, and on a group whose rows do not stand together.
std::vector<JudgedGroup> read_judgements(const std::string& path, const JsonLinesOptions& options = {});

}  // namespace craft
