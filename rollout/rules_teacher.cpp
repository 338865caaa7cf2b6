#include "rollout/rules_teacher.h"

#include <algorithm>

#include "core/error.h"
#include "rollout/teacher_plan.h"
#include "text/lists.h"
#include "text/words.h"

namespace craft {

namespace {

std::string relation_key(Relation relation) {
    return relation == Relation::less_than ? "less" : relation == Relation::more_than ? "more" : "equal";
}

std::string sorted_ids(std::vector<int64_t> ids) {
    std::sort(ids.begin(), ids.end());
    std::vector<std::string> items;
    for (const int64_t id : ids) items.push_back(std::to_string(id));
    return join(items, ", ");
}

std::string plan_key(PlanAction::Kind kind) {
    using Kind = PlanAction::Kind;
    switch (kind) {
        case Kind::keep:
            return "keep";
        case Kind::tighten:
        case Kind::simplify:
            return "tighten";
        case Kind::rephrase:
            return "rephrase";
        case Kind::lengthen:
            return "lengthen";
        case Kind::split:
            return "split";
        case Kind::join:
            return "join";
        case Kind::replace:
            return "replace";
        case Kind::mention:
            return "mention";
    }
    return "tighten";
}

std::string quoted(const std::string& sentence, int64_t words) {
    if (words <= 0) return sentence;
    const auto all = whitespace_words(sentence);
    if (static_cast<int64_t>(all.size()) <= words) return sentence;
    std::string out;
    for (int64_t i = 0; i < words; ++i) {
        if (i > 0) out += ' ';
        out += all[static_cast<size_t>(i)];
    }
    return out + "...";
}

}  // namespace

std::string describe_call(const ToolCall& call, const WordingTable& wordings, Rng& rng) {
    std::string key;
    std::map<std::string, std::string> values;
    if (const auto* words = std::get_if<WordCountCheck>(&call)) {
        key = "words_" + relation_key(words->relation);
        values["N"] = std::to_string(words->count);
    } else if (const auto* sentences = std::get_if<SentenceCountCheck>(&call)) {
        key = "sentences_" + relation_key(sentences->relation);
        values["N"] = std::to_string(sentences->count);
    } else if (const auto* length = std::get_if<SentenceLengthCheck>(&call)) {
        key = "length_" + relation_key(length->relation);
        values["N"] = std::to_string(length->length);
    } else if (const auto* keyword = std::get_if<KeywordKeepRemovalCheck>(&call)) {
        key = keyword->keep ? "keyword_keep" : "keyword_remove";
        values["A"] = keyword->keyword;
    } else if (const auto* frequency = std::get_if<KeywordFrequencyCheck>(&call)) {
        key = "frequency_" + relation_key(frequency->relation);
        values["N"] = std::to_string(frequency->frequency);
        values["A"] = frequency->keyword;
    } else if (const auto* modification = std::get_if<SentenceModificationCheck>(&call)) {
        key = modification->change ? "change" : "unchange";
        values["ids"] = sorted_ids(modification->sentence_ids);
    } else {
        return "";
    }
    return fill_in(wordings.draw("calls." + key, rng), values);
}

namespace {

// What a constraint's calls check: "words: less than 30, words: more than 20"; empty if nothing.
std::string goal_of(const std::vector<ToolCall>& calls, const WordingTable& wordings, Rng& rng) {
    std::string goal;
    for (const ToolCall& call : calls)
        if (const std::string words = describe_call(call, wordings, rng); !words.empty())
            goal += (goal.empty() ? "" : ", ") + words;
    return goal;
}

bool is_met(const std::vector<ToolCall>& calls, const std::string& original, const std::string& text, SentenceRule rule) {
    const Goals goals(calls, original, rule);
    Counts totals = goals.zero();
    for (const auto& sentence : split_sentences(text, rule)) {
        const Counts one = goals.measure(sentence);
        for (size_t c = 0; c < totals.size(); ++c) totals[c] += one[c];
    }
    return goals.unmet(totals) == 0;
}

}  // namespace

// Each phrase of the request with the goal that it sets: read off right behind the words that say it, a goal is easier to
// learn, and to check, than from afar.
std::string RulesTeacher::thought(const Trajectory& trajectory, const std::string& text, Rng& rng) const {
    const Instruction& instruction = trajectory.instruction;
    std::vector<std::string> listed, open;
    for (size_t i = 0; i < instruction.gold.size(); ++i) {
        const std::string goal = goal_of(instruction.gold[i], wordings_, rng);
        if (goal.empty()) continue;
        listed.push_back(i < instruction.phrases.size() ? instruction.phrases[i] + " -> " + goal : goal);
        if (!is_met(instruction.gold[i], instruction.text, text, options_.sentences)) open.push_back(goal);
    }
    if (listed.empty()) return wordings_.draw("no_goals", rng);
    std::string out = fill_in(wordings_.draw("goals", rng), {{"", join(listed, "; ")}});
    if (!trajectory.steps.empty())
        out += " " + (open.empty() ? wordings_.draw("all_met", rng)
                                   : fill_in(wordings_.draw("unmet", rng), {{"", join(open, "; ")}}));
    return out;
}

std::vector<PlanLine> RulesTeacher::plan(const Trajectory& trajectory, const std::string& text, Rng& rng) const {
    const auto sentences = split_sentences(text, options_.sentences);
    const Goals goals(trajectory.instruction.gold_calls(), trajectory.instruction.text, options_.sentences);
    const auto actions = plan_sentences(*rules_, goals, sentences);
    std::vector<PlanLine> lines;
    for (size_t i = 0; i < sentences.size(); ++i)
        lines.push_back({quoted(sentences[i], options_.quote_words),
                         fill_in(wordings_.draw("plans." + plan_key(actions[i].kind), rng), {{"", actions[i].keyword}})});
    return lines;
}

PlannerResponse RulesTeacher::respond(const Trajectory& trajectory, uint64_t item, uint64_t sample) const {
    Rng rng(options_.seed, "teacher." + std::to_string(trajectory.steps.size()), item, sample);
    const std::string& text = trajectory.steps.empty() ? trajectory.instruction.text : trajectory.steps.back().revision;
    PlannerResponse response;
    response.thought = thought(trajectory, text, rng);
    response.tools = normal_form(TextEval{});
    for (const auto& call : trajectory.instruction.gold_calls()) response.tools += "\n" + normal_form(call);
    response.plan = plan(trajectory, text, rng);
    response.well_formed = true;
    return response;
}

std::vector<Reply> RulesTeacher::answer(const std::vector<Request>& requests, const SamplingOptions&) {
    std::vector<Reply> replies;
    for (const auto& request : requests) {
        if (request.trajectory == nullptr)
            throw Error("rules teacher", "the trajectory so far with each request", "messages only",
                        "the rules teacher reads gold calls and cannot answer from messages");
        replies.push_back({print_response(respond(*request.trajectory, request.item, request.sample)), true, 0, 0});
    }
    return replies;
}

}  // namespace craft
