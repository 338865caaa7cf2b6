#include "eval/planner_eval.h"

#include <algorithm>
#include <chrono>

#include "metrics/statistics/paired.h"
#include "rollout/stepper.h"

namespace craft {

namespace {

// Sums first, means at the end.
struct Sums {
    // Of the items that have the value.
    struct Some {
        double sum = 0;
        int64_t items = 0;
        template <class Number>
        void add(const std::optional<Number>& value) {
            sum += static_cast<double>(value.value_or(0));
            items += value ? 1 : 0;
        }
        std::optional<double> mean() const {
            return items > 0 ? std::optional(sum / static_cast<double>(items)) : std::nullopt;
        }
    };
    PlannerScores scores;
    Some s_c, s_r, touched, kept;
    std::vector<double> constraint_f1s;

    void add(const EvaluatedItem& item) {
        ++scores.items;
        scores.tool_f1 += item.tool_f1;
        scores.constraint_f1 += item.constraint_f1;
        constraint_f1s.push_back(item.constraint_f1);
        scores.exact_match += item.exact_match ? 1 : 0;
        scores.s_a += item.s_a;
        s_c.add(item.s_c);
        s_r.add(item.s_r);
        touched.add(item.touched_besides);
        kept.add(item.only_kept());
    }

    PlannerScores means() const {
        PlannerScores out = scores;
        const double n = static_cast<double>(std::max<int64_t>(1, scores.items));
        for (double* value : {&out.tool_f1, &out.constraint_f1, &out.exact_match, &out.s_a}) *value /= n;
        out.s_c = s_c.mean();
        out.s_r = s_r.mean();
        out.touched_besides = touched.mean();
        out.only_kept = kept.mean();
        if (!constraint_f1s.empty()) out.constraint_f1_interval = interval_of_mean(constraint_f1s);
        return out;
    }
};

std::optional<double> optional_number(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() || found->is_null() ? std::nullopt : std::optional(found->get<double>());
}

Json scores_json(const PlannerScores& scores) {
    Json object = {{"items", scores.items},
                   {"tool_f1", scores.tool_f1},
                   {"constraint_f1", scores.constraint_f1},
                   {"exact_match", scores.exact_match},
                   {"s_v", scores.tool_f1}};
    if (const auto& interval = scores.constraint_f1_interval)
        object["constraint_f1_interval"] = {interval->first, interval->second};
    object["s_c"] = value_or_null(scores.s_c);
    object["s_r"] = value_or_null(scores.s_r);
    object["s_a"] = scores.s_a;
    object["touched_besides"] = value_or_null(scores.touched_besides);
    object["only_kept"] = value_or_null(scores.only_kept);
    return object;
}

PlannerScores scores_from_json(const Json& object) {
    PlannerScores scores;
    scores.items = object.at("items").get<int64_t>();
    scores.tool_f1 = object.at("tool_f1").get<double>();
    scores.constraint_f1 = object.at("constraint_f1").get<double>();
    scores.exact_match = object.at("exact_match").get<double>();
    if (const auto interval = object.find("constraint_f1_interval"); interval != object.end())
        scores.constraint_f1_interval = {interval->at(0).get<double>(), interval->at(1).get<double>()};
    scores.s_c = optional_number(object, "s_c");
    scores.s_r = optional_number(object, "s_r");
    scores.s_a = object.at("s_a").get<double>();
    scores.touched_besides = optional_number(object, "touched_besides");
    scores.only_kept = optional_number(object, "only_kept");
    return scores;
}

std::map<std::string, double> shape_recalls(const std::vector<Instruction>& instructions,
                                            const std::vector<ParsedResponse>& responses) {
    std::map<std::string, std::pair<double, double>> counts;
    for (size_t i = 0; i < responses.size(); ++i) {
        const std::vector<ParsedCall>& predicted = responses[i].calls.calls;
        for (const Constraint& constraint : instructions[i].constraints) {
            for (const ToolCall& gold : constraint.calls()) {
                const bool found = std::any_of(predicted.begin(), predicted.end(),
                                               [&](const ParsedCall& call) { return call.call && *call.call == gold; });
                auto& [hits, total] = counts[shape_name(constraint.shape)];
                hits += found ? 1 : 0;
                total += 1;
            }
        }
    }
    std::map<std::string, double> recalls;
    for (const auto& [name, count] : counts) recalls[name] = count.first / count.second;
    return recalls;
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
    Sums overall;
    std::map<std::string, Sums> domains;
    std::vector<ParsedResponse> responses;
    for (size_t i = 0; i < instructions.size(); ++i) {
        const EvaluatedItem& item = evaluated.items.at(i);
        responses.emplace_back(item.finished ? item.response : "");
        overall.add(item);
        out.constraint_f1s.push_back(item.constraint_f1);
        domains["c" + std::to_string(instructions[i].domain)].add(item);
        out.unusable_calls += item.unusable_calls;
        add_leniency(out.leniency, responses.back().leniency());
        out.unfinished += item.finished ? 0 : 1;
        out.tokens += item.tokens;
    }
    out.overall = overall.means();
    for (const auto& [name, sums] : domains) out.by_domain[name] = sums.means();
    out.recall_by_shape = shape_recalls(instructions, responses);
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
    out.unusable_calls = object.at("unusable_calls").get<int64_t>();
    out.leniency = object.value("leniency", Leniency());
    out.unfinished = object.at("unfinished").get<int64_t>();
    out.tokens = object.at("generated_tokens").get<int64_t>();
    out.seconds = object.at("generation_seconds").get<double>();
    return out;
}

}  // namespace craft
