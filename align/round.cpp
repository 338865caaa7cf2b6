#include "align/round.h"

#include <algorithm>
#include <mutex>
#include <tuple>

#include "align/instruction_sets.h"
#include "align/sample_rows.h"
#include "align/stage_rows.h"
#include "judge/flowing_judge.h"
#include "systems/flowing_systems.h"
#include "systems/usable_answers.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// H_i (Algorithm 1, line 3).
struct Histories {
    std::vector<Trajectory> rows;
    int64_t generated_tokens = 0;  // for them, in this process or an earlier one
    std::map<std::string, int64_t> counted = {};
};

void add_counted(std::map<std::string, int64_t>& counted, const std::vector<Step>& steps) {
    for (const Step& step : steps)
        for (const auto& [kind, count] : step.counted) counted[kind] += count;
}

// Counts the tokens that are generated for each instruction.
class CountingResponder : public Responder {
public:
    explicit CountingResponder(Responder& responder) : responder_(responder) {}
    std::vector<Reply> respond(const std::vector<StepRequest>& asks) override {
        std::vector<Reply> replies = responder_.respond(asks);
        const std::lock_guard lock(mutex_);  // items of a flow ask from threads of their own
        for (size_t i = 0; i < asks.size(); ++i) tokens_[asks[i].history->instruction.id] += replies[i].usage.new_tokens;
        return replies;
    }
    std::string name() const override { return responder_.name(); }
    int64_t tokens_for(const Instruction& instruction) const {
        const auto found = tokens_.find(instruction.id);
        return found == tokens_.end() ? 0 : found->second;
    }

private:
    Responder& responder_;
    std::mutex mutex_;
    std::map<std::string, int64_t> tokens_;
};

// What is added up over a stage's rows.
void add_row_counts(const Json& row, int64_t& tokens, std::map<std::string, int64_t>& counted) {
    tokens += row.at("tokens").get<int64_t>();
    for (const auto& [kind, count] : row.at("counted").items()) counted[kind] += count.get<int64_t>();
}

template <class T>
std::vector<T> picked(const std::vector<T>& all, const std::vector<size_t>& which) {
    std::vector<T> some;
    for (const size_t i : which) some.push_back(all[i]);
    return some;
}

// How many steps lie before the response that is sampled is drawn for each instruction.
Histories histories_stage(Session& session, const CountingResponder& planner, const std::vector<Instruction>& instructions,
                          const AlignOptions& options, const std::string& name, const fs::path& folder, Ranks& ranks) {
    const Stage stage(folder);
    const char* const file = "histories.jsonl";
    const auto roll_out = [&](const std::vector<size_t>& which, const RowSink& done) {
        const std::vector<Instruction> some = picked(instructions, which);
        std::vector<int64_t> steps;
        for (const Instruction& instruction : some)
            steps.push_back(Rng(options.seed, name + ".steps", instruction.id).between(0, options.history_steps - 1));
        const std::vector<Trajectory> made = session.roll_out(some, steps);
        for (size_t k = 0; k < made.size(); ++k) {
            std::map<std::string, int64_t> counted;
            add_counted(counted, made[k].steps);
            done(which[k], {{"history", to_json(made[k])}, {"tokens", planner.tokens_for(some[k])}, {"counted", counted}});
        }
    };
    const auto complete = [&](const std::vector<Json>& rows) {
        Histories made;
        for (const Json& row : rows) {
            made.rows.push_back(trajectory_from_json(row.at("history"), file));
            add_row_counts(row, made.generated_tokens, made.counted);
        }
        complete_with(stage, file, made.rows, {{"generated_tokens", made.generated_tokens}, {"counted", made.counted}});
    };
    if (!is_complete(stage, ranks))
        complete_in_ranks(stage,
                          {"histories", "instructions",
                           groups_by_text(instructions, [](const Instruction& one) { return one.text; }), roll_out},
                          ranks, complete);
    return {read_rows<Trajectory>(stage, file,
                                  [](const Json& row, const auto& where) { return trajectory_from_json(row, where); }),
            stage.read_summary([](const Json& s) { return s.at("generated_tokens").get<int64_t>(); }),
            stage.read_summary([](const Json& s) { return s.value("counted", std::map<std::string, int64_t>()); })};
}

// Means over histories of the best sample's S_a and of all samples'.
std::pair<double, double> mean_scores(const std::vector<std::vector<Step>>& sampled) {
    double best = 0, all = 0;
    for (const auto& samples : sampled) {
        double highest = 0, sum = 0;
        for (const Step& sample : samples) {
            highest = std::max(highest, sample.scores.s_a);
            sum += sample.scores.s_a;
        }
        best += highest;
        all += sum / static_cast<double>(samples.size());
    }
    const double n = static_cast<double>(std::max<size_t>(1, sampled.size()));
    return {best / n, all / n};
}

ResponseCounts counts_of_responses(const std::vector<std::vector<Step>>& sampled) {
    ResponseCounts counts;
    for (const auto& samples : sampled)
        for (const Step& sample : samples) counts.add(ParsedResponse(sample.response), sample.finished);
    return counts;
}

std::optional<double> quality_share(const std::vector<std::vector<Step>>& sampled, double lambda_r) {
    double covariance = 0, variance = 0;
    for (const auto& samples : sampled) {
        const auto n = static_cast<double>(samples.size());
        double mean_a = 0, mean_r = 0;
        for (const Step& sample : samples) {
            if (!sample.scores.s_r) return std::nullopt;
            mean_a += sample.scores.s_a / n;
            mean_r += *sample.scores.s_r / n;
        }
        for (const Step& sample : samples) {
            covariance += lambda_r * (*sample.scores.s_r - mean_r) * (sample.scores.s_a - mean_a);
            variance += (sample.scores.s_a - mean_a) * (sample.scores.s_a - mean_a);
        }
    }
    return variance > 0 ? std::optional(covariance / variance) : std::nullopt;
}

// Of each history the responses that were sampled after it, and what the round's judge says of them.
struct Sampled {
    std::vector<Trajectory> histories;
    std::vector<std::vector<Step>> responses;
    std::vector<SampleVerdict> verdicts;
    int64_t generated_tokens = 0;
    std::map<std::string, int64_t> counted;  // of both
};

// What is made of sampled responses, in rank 0.
using UseSamples = std::function<void(const Sampled&)>;

// Responses that a planner of this process samples in one call. They are kept when the call ends, and it runs some hundred
// of them at a time.
constexpr size_t kResponsesAtOnce = 512;

// Samples after each history, in all ranks; `use` completes `stage`.
void sample_responses(const Planner& planner, RevisionEnvironment& environment, const std::vector<Instruction>& instructions,
                      const AlignOptions& options, const std::string& name, const Stage& stage, Ranks& ranks,
                      const UseSamples& use) {
    // Within a flow planner and judge compute for all items that wait for them.
    std::shared_ptr<System> system = planner.system(options.seed);
    std::optional<FlowingJudge> judge;
    if (options.flow != nullptr) {
        system = std::make_shared<ComputedSystem>(*options.flow, system);
        judge.emplace(*options.flow, environment.judge());
    }
    const SessionOptions session_options = {
        .max_steps = options.history_steps, .flow = options.flow, .text_feedback = options.text_feedback};
    Judge& session_judge = judge ? *judge : environment.judge();
    SamplingOptions greedy = options.sampling;
    greedy.temperature = 0;
    greedy.stage = name + ".histories";
    SystemResponder plain(*system, greedy);
    CountingResponder counted_plain(plain);
    Session roll_out = environment.session(counted_plain, session_options, &session_judge);
    const Histories made = histories_stage(roll_out, counted_plain, instructions, options, name,
                                           stage.path().parent_path() / "histories", ranks);

    SamplingOptions drawn = options.sampling;
    drawn.stage = name + ".responses";
    drawn.logprobs = true;         // they choose among equally good responses
    drawn.keep_histories = false;  // nobody continues after them
    SystemResponder sampling(*system, drawn);
    CountingResponder counted(sampling);
    Session sampler = environment.session(counted, session_options, &session_judge);
    const auto sample_some = [&](const std::vector<size_t>& which, const RowSink& done) {
        const std::vector<Trajectory> some = picked(made.rows, which);
        std::vector<SampleVerdict> verdicts(some.size());
        const auto ranked = [&](size_t k, const std::vector<Step>& samples) {
            if (options.judge) verdicts[k] = judge_samples(*options.judge, name, some[k], samples);
        };
        const std::vector<std::vector<Step>> sampled = sampler.sample(some, options.samples, ranked);
        for (size_t k = 0; k < some.size(); ++k) {
            Json samples = Json::array();
            for (const Step& sample : sampled[k]) samples.push_back(sample_json(sample));
            std::map<std::string, int64_t> kinds;
            add_counted(kinds, sampled[k]);
            done(which[k], {{"samples", samples},
                            {"verdict", verdict_json(verdicts[k])},
                            {"tokens", counted.tokens_for(some[k].instruction)},
                            {"counted", kinds}});
        }
    };
    const auto complete = [&](const std::vector<Json>& rows) {
        Sampled sampled{made.rows, {}, {}, made.generated_tokens, made.counted};
        for (const Json& row : rows) {
            std::vector<Step>& samples = sampled.responses.emplace_back();
            for (const Json& sample : row.at("samples")) samples.push_back(sample_from_json(sample));
            sampled.verdicts.push_back(verdict_from_json(row.at("verdict")));
            add_row_counts(row, sampled.generated_tokens, sampled.counted);
        }
        use(sampled);
    };
    ComputedRows rows{"sampling", "histories",
                      groups_by_text(made.rows, [](const Trajectory& one) { return one.instruction.text; }), sample_some};
    // In a flow the more histories the better: requests to hosted models wait for each other.
    if (options.flow == nullptr) rows.at_once = std::max<size_t>(1, kResponsesAtOnce / static_cast<size_t>(options.samples));
    complete_in_ranks(stage, rows, ranks, complete);
}

// Where no response of a round can be used, it has failed: the planner is cut, or the reviser makes nothing of its plans.
void require_usable_responses(const Sampled& sampled, const std::string& name) {
    UsableAnswers answers;
    for (const auto& samples : sampled.responses)
        for (const Step& sample : samples)
            answers.add(!sample.unusable.empty()  ? sample.unusable
                        : !sample.finished        ? "cut"
                        : sample.response.empty() ? "empty"
                                                  : "");
    answers.require_any("sampled responses of " + name,
                        "cut: raise sampling.max_new_tokens or the context; others: docs/revise.md says what they mean");
}

RoundData data_of(const Sampled& sampled, const AlignOptions& options, int64_t round, double lambda_r) {
    RoundData data;
    for (size_t i = 0; i < sampled.histories.size(); ++i) {
        const Trajectory& history = sampled.histories[i];
        const Json origin = {{"instruction", history.instruction.id}, {"round", round}, {"step", history.steps.size() + 1}};
        const auto keep = [&](auto& made, auto& all, const std::string& dropped) {
            if (made)
                all.push_back(std::move(*made));
            else
                ++data.dropped[dropped];
        };
        if (options.method) {
            GroupOutcome outcome = build_group(history.messages(), sampled.responses[i], origin);
            keep(outcome.group, data.groups, outcome.dropped);
        } else {
            PairOutcome outcome =
                build_pair(history.messages(), sampled.responses[i], options.pairs, origin, sampled.verdicts[i]);
            keep(outcome.pair, data.pairs, outcome.dropped);
        }
    }
    data.counted = sampled.counted;
    data.generated_tokens = sampled.generated_tokens;
    std::tie(data.mean_best, data.mean_all) = mean_scores(sampled.responses);
    data.quality_share = quality_share(sampled.responses, lambda_r);
    data.sampled = counts_of_responses(sampled.responses);
    return data;
}

constexpr const char* kPairsFile = "pairs.jsonl";
constexpr const char* kGroupsFile = "groups.jsonl";

void store(const RoundData& data, bool has_groups, const Stage& stage) {
    const Json summary = {{"dropped", data.dropped},
                          {"counted", data.counted},
                          {"generated_tokens", data.generated_tokens},
                          {"mean_best_s_a", data.mean_best},
                          {"s_r_share_of_variance", data.quality_share ? Json(*data.quality_share) : Json()},
                          {"mean_s_a", data.mean_all},
                          {"sampled", to_json(data.sampled)}};
    if (has_groups)
        complete_with(stage, kGroupsFile, data.groups, summary);
    else
        complete_with(stage, kPairsFile, data.pairs, summary);
}

RoundData stored_data(const Stage& stage, bool has_groups) {
    std::vector<Pair> pairs;
    std::vector<ResponseGroup> groups;
    if (has_groups)
        groups = read_rows<ResponseGroup>(stage, kGroupsFile, response_group_from_json);
    else
        pairs = read_rows<Pair>(stage, kPairsFile,
                                [](const Json& row, const auto& where) { return pair_from_json(row, where); });
    return stage.read_summary([&](const Json& s) {
        return RoundData{std::move(pairs),
                         std::move(groups),
                         counts_of(s, "dropped"),
                         s.value("counted", std::map<std::string, int64_t>()),
                         s.at("generated_tokens").get<int64_t>(),
                         s.at("mean_best_s_a").get<double>(),
                         s.at("mean_s_a").get<double>(),
                         s.at("s_r_share_of_variance").is_null()
                             ? std::nullopt
                             : std::optional(s.at("s_r_share_of_variance").get<double>()),
                         s.contains("sampled") ? response_counts_from_json(s.at("sampled")) : ResponseCounts()};
    });
}

}  // namespace

std::string round_name(int64_t round) {
    return "round-" + std::to_string(round);
}

std::map<int64_t, int64_t> pairs_by_step(const RoundData& data) {
    std::map<int64_t, int64_t> counts;
    const auto add = [&](const Json& provenance) { ++counts[provenance.at("step").get<int64_t>()]; };
    for (const Pair& pair : data.pairs) add(pair.provenance);
    for (const ResponseGroup& one : data.groups) add(one.provenance);
    return counts;
}

RoundData make_round_data(const Planner& planner, RevisionEnvironment& environment, const AlignInputs& inputs,
                          const AlignOptions& options, int64_t round, const fs::path& folder, ProcessGroup& group) {
    const std::string name = round_name(round);
    const Stage stage(folder / "pairs");
    const bool has_groups = options.method.has_value();
    if (is_complete(stage, group)) return stored_data(stage, has_groups);
    GeneratorOptions generator = options.generator;
    generator.seed = options.seed;
    generator.stage = name + ".instructions";
    generator.split = Split::train;
    generator.sentences = environment.sentences();
    const InstructionSet set = group.first_rank_first([&] {
        return inputs.ready.empty()
                   ? instructions_stage(environment, inputs.texts, generator, folder / "instructions", options.authors)
                   : ready_instructions_stage(inputs.ready, generator.count, round, options.seed, folder / "instructions");
    });
    const auto make_data = [&](const Sampled& sampled) {
        require_usable_responses(sampled, name);
        JsonLinesWriter responses((stage.path() / "responses.jsonl").string());
        for (size_t i = 0; i < sampled.histories.size(); ++i)
            responses.write(responses_json(sampled.histories[i], sampled.responses[i], sampled.verdicts[i]));
        responses.close();
        RoundData data = data_of(sampled, options, round, environment.judge().options().lambda_r);
        for (const auto& [reason, count] : set.dropped) data.dropped[reason] += count;
        for (const auto& [kind, count] : set.counted) data.counted[kind] += count;
        store(data, has_groups, stage);
    };
    sample_responses(planner, environment, set.instructions, options, name, stage, group, make_data);
    return stored_data(stage, has_groups);
}

}  // namespace craft
