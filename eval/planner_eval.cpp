#include "eval/planner_eval.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <set>
#include <type_traits>

#include "metrics/statistics/paired.h"
#include "rollout/stepper.h"

namespace craft {

namespace {

std::optional<double> optional_number(const Json& object, const std::string& name) {
    const auto found = object.find(name);
    if (found == object.end() || found->is_null()) return std::nullopt;
    return found->is_boolean() ? static_cast<double>(found->get<bool>()) : found->get<double>();
}

void add_figures(ItemFigures& figures, const Instruction& instruction, const EvaluatedItem& item) {
    figures.domains.push_back("c" + std::to_string(instruction.domain));
    figures.values["tool_f1"].emplace_back(item.tool_f1);
    figures.values["constraint_f1"].emplace_back(item.constraint_f1);
    figures.values["exact_match"].emplace_back(item.exact_match ? 1 : 0);
    figures.values["s_c"].push_back(item.s_c);
    figures.values["s_r"].push_back(item.s_r);
    figures.values["s_a"].emplace_back(item.s_a);
    figures.values["touched_besides"].push_back(item.touched_besides);
    figures.values["only_kept"].push_back(item.only_kept());
}

// Means and intervals, each over the items of the domain (null: of all) that have the figure.
PlannerScores scores_of(const ItemFigures& figures, const std::string* domain) {
    const std::vector<std::string>& domains = figures.domains;
    const auto is_counted = [&](size_t i) { return domain == nullptr || domains[i] == *domain; };
    PlannerScores scores;
    for (size_t i = 0; i < domains.size(); ++i) scores.items += is_counted(i) ? 1 : 0;
    if (scores.items == 0) return scores;
    for_each_figure(scores, [&](const char* name, auto& mean) {
        const std::vector<std::optional<double>>& all = figures.values.at(name);
        std::vector<double> values;
        for (size_t i = 0; i < all.size(); ++i)
            if (all[i] && is_counted(i)) values.push_back(*all[i]);
        if (values.empty()) return;
        mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
        scores.intervals[name] = interval_of_mean(values);
    });
    return scores;
}

Json interval_json(const Interval& interval) {
    return {interval.first, interval.second};
}

Interval interval_from_json(const Json& interval) {
    return {interval.at(0).get<double>(), interval.at(1).get<double>()};
}

Json plain(double value) {
    return value;
}

Json plain(const std::optional<double>& value) {
    return value_or_null(value);
}

Json scores_json(const PlannerScores& scores) {
    Json object = {{"items", scores.items}};
    for_each_figure(scores, [&](const std::string& name, const auto& mean) {
        object[name] = plain(mean);
        if (const auto found = scores.intervals.find(name); found != scores.intervals.end())
            object[name + "_interval"] = interval_json(found->second);
    });
    object["s_v"] = scores.tool_f1;
    return object;
}

PlannerScores scores_from_json(const Json& object) {
    PlannerScores scores;
    scores.items = object.at("items").get<int64_t>();
    for_each_figure(scores, [&](const std::string& name, auto& mean) {
        if constexpr (std::is_same_v<decltype(mean), double&>)
            mean = object.at(name).get<double>();
        else
            mean = optional_number(object, name);
        if (const auto interval = object.find(name + "_interval"); interval != object.end())
            scores.intervals[name] = interval_from_json(*interval);
    });
    return scores;
}

// Of each shape, over the instructions that have it.
void add_shape_recalls(PlannerEvaluation& out, const std::vector<Instruction>& instructions,
                       const std::vector<ParsedResponse>& responses) {
    std::map<std::string, std::vector<std::vector<int64_t>>> counts;  // by shape: an instruction's found calls, gold calls
    for (size_t i = 0; i < responses.size(); ++i) {
        const std::vector<ParsedCall>& predicted = responses[i].calls.calls;
        std::map<std::string, std::vector<int64_t>> own;
        for (const Constraint& constraint : instructions[i].constraints) {
            for (const ToolCall& gold : constraint.calls()) {
                std::vector<int64_t>& count = own.try_emplace(shape_name(constraint.shape), 2, 0).first->second;
                const bool found = std::any_of(predicted.begin(), predicted.end(),
                                               [&](const ParsedCall& call) { return call.call && *call.call == gold; });
                count[0] += found ? 1 : 0;
                ++count[1];
            }
        }
        for (auto& [shape, count] : own) counts[shape].push_back(std::move(count));
    }
    for (const auto& [shape, items] : counts) {
        const CountSums sums(items, [](std::span<const double> of) { return of[0] / of[1]; });
        const FigureInterval recall = interval_of_figure(sums);
        out.recall_by_shape[shape] = recall.figure;
        out.recall_intervals[shape] = recall.interval;
    }
}
// Tells how long another one took.
class TimedResponder : public Responder {
public:
    explicit TimedResponder(Responder& responder) : responder_(responder) {}
    std::vector<Reply> respond(const std::vector<StepRequest>& asks) override {
        const auto start = std::chrono::steady_clock::now();
        std::vector<Reply> replies = responder_.respond(asks);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return replies;
    }
    std::string name() const override { return responder_.name(); }
    double seconds = 0;

private:
    Responder& responder_;
};

}  // namespace

void add_figures(ItemFigures& figures, const Json& row) {
    figures.domains.push_back(row.at("domain").get<std::string>());
    const PlannerScores names;
    for_each_figure(
        names, [&](const std::string& name, const auto&) { figures.values[name].push_back(optional_number(row, name)); });
}

EvaluatedItems evaluate_items(System& planner, Reviser& reviser, Judge& judge, const PromptTemplate& prompt,
                              const std::vector<Instruction>& instructions, const SamplingOptions& sampling) {
    std::vector<Trajectory> histories;
    for (const Instruction& instruction : instructions) histories.push_back({instruction, prompt.render(instruction), {}});
    std::vector<StepRequest> asks;
    for (const Trajectory& history : histories) asks.push_back({&history, 0});
    SamplingOptions once = sampling;
    once.keep_histories = false;  // nobody continues after the answers
    SystemResponder responder(planner, once);
    TimedResponder timed(responder);
    EvaluatedItems evaluated;
    for (StepResult& result : Stepper(timed, reviser, judge).next(asks)) {
        Judged& judged = result.judged;
        evaluated.items.push_back({.response = std::move(result.reply.text),
                                   .revision = result.revision.text(),
                                   .finished = result.reply.is_finished(),
                                   .tokens = result.reply.usage.new_tokens,
                                   .unusable_calls = judged.tool_use.unusable,
                                   .tool_f1 = judged.tool_use.tool_f1,
                                   .constraint_f1 = judged.tool_use.constraint_f1,
                                   .s_a = judged.s_a,
                                   .exact_match = judged.tool_use.exact_match,
                                   .met = judged.adherence.met,
                                   .s_c = judged.adherence.s_c,
                                   .s_r = judged.s_r,
                                   .touched_besides = judged.adherence.touched_besides,
                                   .quality = std::move(judged.quality)});
    }
    evaluated.seconds = timed.seconds;
    return evaluated;
}

PlannerEvaluation evaluation_of(const std::vector<Instruction>& instructions, const EvaluatedItems& evaluated) {
    PlannerEvaluation out;
    out.seconds = evaluated.seconds;
    std::vector<ParsedResponse> responses;
    for (size_t i = 0; i < instructions.size(); ++i) {
        const EvaluatedItem& item = evaluated.items.at(i);
        responses.emplace_back(item.finished ? item.response : "");
        add_figures(out.items, instructions[i], item);
        out.unusable_calls += item.unusable_calls;
        add_leniency(out.leniency, responses.back().leniency());
        out.unfinished += item.finished ? 0 : 1;
        out.tokens += item.tokens;
    }
    out.overall = scores_of(out.items, nullptr);
    for (const std::string& domain : std::set<std::string>(out.items.domains.begin(), out.items.domains.end()))
        out.by_domain[domain] = scores_of(out.items, &domain);
    add_shape_recalls(out, instructions, responses);
    return out;
}

PlannerEvaluation evaluate_planner(System& planner, Reviser& reviser, Judge& judge, const PromptTemplate& prompt,
                                   const std::vector<Instruction>& instructions, const SamplingOptions& sampling) {
    return evaluation_of(instructions, evaluate_items(planner, reviser, judge, prompt, instructions, sampling));
}

Json to_json(const PlannerEvaluation& evaluation) {
    Json object = scores_json(evaluation.overall);
    object["by_domain"] = Json::object();
    for (const auto& [name, scores] : evaluation.by_domain) object["by_domain"][name] = scores_json(scores);
    object["recall_by_shape"] = evaluation.recall_by_shape;
    for (const auto& [shape, interval] : evaluation.recall_intervals)
        object["recall_intervals"][shape] = interval_json(interval);
    object["unusable_calls"] = evaluation.unusable_calls;
    object["leniency"] = evaluation.leniency;
    object["unfinished"] = evaluation.unfinished;
    object["generated_tokens"] = evaluation.tokens;
    object["generation_seconds"] = evaluation.seconds;
    return object;
}

PlannerEvaluation planner_evaluation_from_json(const Json& object) {
    PlannerEvaluation out;
    out.overall = scores_from_json(object);
    for (const auto& [name, scores] : object.at("by_domain").items()) out.by_domain[name] = scores_from_json(scores);
    out.recall_by_shape = object.at("recall_by_shape").get<std::map<std::string, double>>();
    const Json recall_intervals = object.value("recall_intervals", Json::object());
    for (const auto& [shape, interval] : recall_intervals.items())
        out.recall_intervals[shape] = interval_from_json(interval);
    out.unusable_calls = object.at("unusable_calls").get<int64_t>();
    out.leniency = object.value("leniency", Leniency());
    out.unfinished = object.at("unfinished").get<int64_t>();
    out.tokens = object.at("generated_tokens").get<int64_t>();
    out.seconds = object.at("generation_seconds").get<double>();
    return out;
}

}  // namespace craft
