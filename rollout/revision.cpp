#include "rollout/revision.h"

namespace craft {

void Cost::add(const Usage& usage) {
    ++calls;
    input_tokens += usage.prompt_tokens;
    output_tokens += usage.new_tokens;
    seconds += usage.seconds;
    if (usage.usd) usd = usd.value_or(0) + *usage.usd;
}

void Cost::add(const Cost& other) {
    calls += other.calls;
    input_tokens += other.input_tokens;
    output_tokens += other.output_tokens;
    seconds += other.seconds;
    if (other.usd) usd = usd.value_or(0) + *other.usd;
}

Json to_json(const Cost& cost) {
    return {{"calls", cost.calls},
            {"input_tokens", cost.input_tokens},
            {"output_tokens", cost.output_tokens},
            {"seconds", cost.seconds},
            {"usd", value_or_null(cost.usd)}};
}

namespace {

// Whether a planner was asked for it: a server may count no tokens, and of an answer that failed there are none.
bool was_asked(const Reply& reply) {
    const Usage& usage = reply.usage;
    return usage.prompt_tokens > 0 || usage.new_tokens > 0 || usage.seconds > 0 || usage.retries > 0 || usage.usd ||
           reply.status == Reply::Status::failed;
}

Json scores_json(const Round& round) {
    Json scores = {{"r_c", round.conditions.share()}, {"s_r", value_or_null(round.s_r)}};
    if (!round.quality.empty()) scores["raw_quality"] = to_json(round.quality);
    return scores;
}

}  // namespace

Json to_json(const Round& round) {
    Json json = Json::object();
    if (!round.response.empty()) json["response"] = round.response;
    json["text"] = round.text;
    json["conditions"] = to_json(round.conditions);
    json["scores"] = scores_json(round);
    if (!round.unusable.empty()) json["unusable"] = round.unusable;
    if (!round.noted.empty()) json["noted"] = leniency_kinds(round.noted);
    if (!round.text_feedback.empty()) json["text_feedback"] = round.text_feedback;
    return json;
}

std::string RevisionResult::problem() const {
    if (rounds.empty()) return "no_answer";
    for (const Round& round : rounds)
        if (round.unusable.empty()) return "";
    return rounds.back().unusable;
}

Json RevisionResult::row() const {
    Json trace = {{"rounds", Json::array()}};
    for (const Round& round : rounds) trace["rounds"].push_back(to_json(round));
    if (!search.is_null()) trace["search"] = search;
    if (planner_tokens.plain > 0)
        trace["planner_tokens"] = {
            {"computed", planner_tokens.computed}, {"plain", planner_tokens.plain}, {"generated", planner_tokens.generated}};
    std::map<std::string, int64_t> counts = counted;
    if (cut_observations > 0) counts["cut observation"] = cut_observations;
    if (!counts.empty()) trace["counted"] = counts;
    Json row = {{"text", text}, {"calls", calls}};
    row["conditions"] = rounds.empty() ? Json::array() : to_json(rounds.back().conditions);
    row["scores"] = rounds.empty() ? Json::object() : scores_json(rounds.back());
    row["cost"] = to_json(cost);
    row["trace"] = std::move(trace);
    return row;
}

void note_step(RevisionResult& result, const Reply& reply, const ParsedResponse& response, const Revised& revised) {
    if (was_asked(reply)) result.cost.add(reply.usage);
    for (const Usage& usage : revised.usage) result.cost.add(usage);
    if (reply.status == Reply::Status::cut) ++result.counted["planner: cut"];
    if (!response.text.empty())  // without a planner, and after a failure, there is nothing to be read
        for (const auto& [kind, count] : response.leniency()) result.counted["leniency: " + kind] += count;
    count_revision(result.counted, revised);
}

void note_tokens(PlannerTokens& tokens, const std::vector<const Reply*>& replies) {
    if (replies.empty()) return;
    const Usage& first = replies.front()->usage;
    tokens.computed += first.prompt_tokens - first.cached_tokens;
    tokens.plain += first.prompt_tokens;
    for (const Reply* reply : replies) {
        tokens.computed += reply->usage.new_tokens;
        tokens.plain += reply->usage.new_tokens;
        tokens.generated += reply->usage.new_tokens;
    }
}

Round note_round(RevisionResult& result, const StepResult& step, const ParsedCalls& conditions,
                 const std::vector<std::string>& preserve) {
    note_step(result, step.reply, step.response, step.revised);
    Round round;
    round.response = step.reply.text;
    round.text = step.revision.text();
    round.conditions = check_conditions(conditions, *step.original, step.revision, preserve);
    round.s_r = step.judged.s_r;
    round.quality = step.judged.quality;
    round.unusable = step.revised.unusable;
    round.noted = step.revised.noted;
    return round;
}

}  // namespace craft
