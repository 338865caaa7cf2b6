#include "align/round.h"

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>

#include "core/error.h"
#include "core/log.h"
#include "core/run_folder.h"
#include "data/constraints/sealed_sets.h"
#include "judge/flowing_judge.h"
#include "systems/flowing_systems.h"
#include "text/words.h"
#include "train/trainer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// What complete_with() wrote: a file that has lost rows since is an error.
template <class T, class Read>
std::vector<T> read_rows(const Stage& stage, const char* name, const Read& read) {
    const fs::path file = stage.path() / name;
    std::vector<T> rows;
    JsonLinesReader reader(file.string(), {.max_line_bytes = size_t{64} << 20, .number_rows = false});
    while (const auto row = reader.next()) rows.push_back(read(*row, reader.where()));
    const auto written = stage.read_summary([](const Json& summary) { return summary.at("rows").get<size_t>(); });
    if (rows.size() != written)
        throw Error(file.string(), std::to_string(written) + " rows, as complete.json beside it says",
                    std::to_string(rows.size()), "remove " + stage.path().string() + " to make them again");
    return rows;
}

template <class T>
void complete_with(const Stage& stage, const char* name, const std::vector<T>& rows, Json summary) {
    JsonLinesWriter writer((stage.path() / name).string());
    for (const T& row : rows) writer.write(to_json(row));
    writer.close();
    summary["rows"] = rows.size();
    stage.mark_complete(summary);
}

std::map<std::string, int64_t> counts_of(const Json& summary, const char* name) {
    return summary.at(name).get<std::map<std::string, int64_t>>();
}

std::string round_name(int64_t round) {
    return "round-" + std::to_string(round);
}

constexpr const char* kInstructionsFile = "instructions.jsonl";

// From their stage, or made and stored there if there are any.
std::vector<Instruction> stored_instructions(const Stage& stage,
                                             const std::function<GeneratorReport(const EmitInstruction&)>& generate) {
    if (stage.complete()) return read_rows<Instruction>(stage, kInstructionsFile, instruction_from_json);
    std::vector<Instruction> instructions;
    const GeneratorReport report =
        generate([&](Instruction&& made, const std::string&) { instructions.push_back(std::move(made)); });
    if (!instructions.empty())
        complete_with(stage, kInstructionsFile, instructions,
                      {{"shapes", report.shapes},
                       {"dropped", report.dropped},
                       {"violated_by_unrevised_text", report.violated_share()}});
    return instructions;
}

FreeReviser reviser_of(const RevisionEnvironment& environment) {
    return [&environment](const std::string& text, Rng& rng) { return environment.free_revision(text, rng); };
}

// H_i (Algorithm 1, line 3).
struct Histories {
    std::vector<Trajectory> rows;
    int64_t generated_tokens = 0;  // for them, in this process or an earlier one
};

// How many steps lie before the response that is sampled is drawn for each instruction.
Histories histories_stage(Session& session, const SystemResponder& planner, const std::vector<Instruction>& instructions,
                          const AlignOptions& options, const std::string& name, const fs::path& folder) {
    const Stage stage(folder);
    const char* const file = "histories.jsonl";
    if (stage.complete())
        return {read_rows<Trajectory>(stage, file,
                                      [](const Json& row, const auto& where) { return trajectory_from_json(row, where); }),
                stage.read_summary([](const Json& s) { return s.at("generated_tokens").get<int64_t>(); })};
    std::vector<int64_t> steps;
    for (const Instruction& instruction : instructions)
        steps.push_back(Rng(options.seed, name + ".steps", instruction.id).between(0, options.history_steps - 1));
    auto histories = session.roll_out(instructions, steps);
    complete_with(stage, file, histories, {{"generated_tokens", planner.generated_tokens()}});
    return {std::move(histories), planner.generated_tokens()};
}

Json responses_json(const Trajectory& history, const std::vector<Step>& samples, const SampleVerdict& verdict) {
    Json row = {{"id", history.instruction.id}, {"step", history.steps.size() + 1}, {"responses", Json::array()}};
    for (const Step& sample : samples) {
        row["responses"].push_back({{"response", sample.response},
                                    {"finished", sample.finished},
                                    {"mean_logprob", sample.mean_logprob ? Json(*sample.mean_logprob) : Json()},
                                    {"revision", sample.revision},
                                    {"s_a", sample.scores.s_a},
                                    {"raw_quality", to_json(sample.scores.quality)}});
        if (!sample.unusable.empty()) row["responses"].back()["unusable"] = sample.unusable;
    }
    if (verdict.best && verdict.worst)
        row["verdict"] = {{"best", *verdict.best}, {"worst", *verdict.worst}};
    else if (!verdict.reason.empty())
        row["verdict"] = {{"reason", verdict.reason}};
    if (row.contains("verdict")) row["verdict"].update(verdict.origin);
    return row;
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

RoundData pairs_of(const std::vector<Trajectory>& histories, const std::vector<std::vector<Step>>& sampled,
                   const std::vector<SampleVerdict>& verdicts, const AlignOptions& options, int64_t round, double lambda_r) {
    RoundData data;
    for (size_t i = 0; i < histories.size(); ++i) {
        const Json origin = {
            {"instruction", histories[i].instruction.id}, {"round", round}, {"step", histories[i].steps.size() + 1}};
        PairOutcome outcome = build_pair(histories[i].messages(), sampled[i], options.pairs, origin, verdicts[i]);
        if (outcome.pair)
            data.pairs.push_back(std::move(*outcome.pair));
        else
            ++data.dropped[outcome.dropped];
        for (const Step& sample : sampled[i])
            if (!sample.unusable.empty()) ++data.unusable[sample.unusable];
    }
    std::tie(data.mean_best, data.mean_all) = mean_scores(sampled);
    data.quality_share = quality_share(sampled, lambda_r);
    data.sampled = counts_of_responses(sampled);
    return data;
}

// Of pairs, a loss that compares nothing sees the chosen responses.
Examples examples_of(const Planner& planner, const std::vector<Pair>& pairs, const AlignOptions& options,
                     const LossOptions& loss) {
    ExampleBuilder builder = example_builder(planner, options.examples);
    for (size_t i = 0; i < pairs.size(); ++i) {
        const std::string where = "pair " + std::to_string(i);
        if (needs_pairs(loss.name))
            builder.add_pair(pairs[i], where);
        else
            builder.add_completion(pairs[i].prompt, pairs[i].chosen, where);
    }
    return builder.take();
}

TrainedStage run_stage(Planner& planner, const Examples& examples, TrainOptions options, uint64_t seed,
                       const fs::path& folder, ProcessGroup& group) {
    if (examples.trees.empty()) return {.dropped = examples.dropped};
    const Stage stage(folder);
    if (stage.complete()) {
        planner.load_adapter(folder / "adapter");
        return stage.read_summary([](const Json& s) {
            return TrainedStage{s.at("examples").get<int64_t>(), s.at("tokens").get<int64_t>(),
                                s.at("seconds").get<double>(), counts_of(s, "dropped")};
        });
    }
    options.seed = seed;
    make_trainable(planner.decoder, options);
    const TrainResult result = train(planner.decoder, examples.trees, options, folder, {}, {}, group);
    TrainedStage trained{static_cast<int64_t>(examples.trees.size()), result.tokens, result.seconds, examples.dropped};
    group.run_on_first_rank([&] {
        planner.save_adapter(folder / "adapter");
        stage.mark_complete({{"examples", trained.examples},
                             {"tokens", trained.tokens},
                             {"seconds", trained.seconds},
                             {"dropped", trained.dropped}});
    });
    return trained;
}

struct WholeTestSet {
    std::vector<std::pair<Instruction, std::string>> rows;  // with the revisions that prove them
    GeneratorReport report;
};

// Made once in a process: it takes seconds, whatever part is wanted.
const WholeTestSet& whole_test_set(const RevisionEnvironment& environment) {
    static std::mutex mutex;
    static std::map<SentenceRule, WholeTestSet> made;
    const std::lock_guard lock(mutex);
    auto found = made.find(environment.sentences());
    if (found == made.end()) {
        WholeTestSet whole;
        whole.report = make_sealed_set(test_set(), test_set().instructions, environment.sentences(), reviser_of(environment),
                                       [&](Instruction&& instruction, const std::string& revision) {
                                           whole.rows.emplace_back(std::move(instruction), revision);
                                       });
        found = made.emplace(environment.sentences(), std::move(whole)).first;
    }
    return found->second;
}

// Places of `count` instructions, in their order: domains in turn, of each the one with the shortest text that is left.
std::vector<size_t> shortest_of_each_domain(const std::vector<std::pair<Instruction, std::string>>& all, int64_t count) {
    std::map<int, std::vector<std::pair<size_t, size_t>>> by_domain;  // words of the text, place
    for (size_t i = 0; i < all.size(); ++i)
        by_domain[all[i].first.domain].emplace_back(whitespace_words(all[i].first.text).size(), i);
    std::vector<std::tuple<size_t, int, size_t>> turns;  // turn, domain, place
    for (auto& [domain, places] : by_domain) {
        std::sort(places.begin(), places.end());
        for (size_t turn = 0; turn < places.size(); ++turn) turns.emplace_back(turn, domain, places[turn].second);
    }
    std::sort(turns.begin(), turns.end());
    turns.resize(std::min(turns.size(), static_cast<size_t>(count)));
    std::vector<size_t> chosen;
    for (const auto& [turn, domain, place] : turns) chosen.push_back(place);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

}  // namespace

std::vector<Instruction> instructions_stage(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                            const GeneratorOptions& options, const fs::path& folder,
                                            std::map<std::string, int64_t>* dropped) {
    const Stage stage(folder);
    auto instructions = stored_instructions(stage, [&](const EmitInstruction& emit) {
        return generate_instructions(texts, reviser_of(environment), environment.wordings(), options, emit);
    });
    if (instructions.empty())
        throw Error(folder.string(), "texts that instructions can be made for", "none of " + std::to_string(texts.size()),
                    "texts need a few sentences each");
    if (dropped != nullptr) {
        const auto counts = stage.read_summary([](const Json& summary) { return counts_of(summary, "dropped"); });
        for (const auto& [reason, count] : counts) (*dropped)[reason] += count;
    }
    return instructions;
}

std::vector<Instruction> sealed_test_set(RevisionEnvironment& environment, int64_t count, const fs::path& folder) {
    auto made = stored_instructions(Stage(folder), [&](const EmitInstruction& emit) {
        const WholeTestSet& whole = whole_test_set(environment);
        for (const size_t i : shortest_of_each_domain(whole.rows, count))
            emit(Instruction(whole.rows[i].first), whole.rows[i].second);
        return whole.report;
    });
    if (static_cast<int64_t>(made.size()) < count)
        log_warning("fewer sealed instructions than asked for", {{"asked", count}, {"made", made.size()}});
    return made;
}

std::vector<Instruction> evaluation_set(RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                                        const std::string& name, const std::vector<int>& domains, int64_t count, Split split,
                                        const fs::path& folder, int64_t per_text) {
    GeneratorOptions generator;
    generator.domains = domains;
    generator.count = count;
    generator.per_text = per_text;
    generator.stage = name;
    generator.split = split;
    generator.mix = mix_even_over_shapes();
    generator.sentences = environment.sentences();
    auto made = instructions_stage(environment, texts, generator, folder / "instructions" / name);
    if (static_cast<int64_t>(made.size()) < count)
        log_warning("fewer instructions than asked for", {{"set", name}, {"asked", count}, {"made", made.size()}});
    return made;
}

ExampleBuilder example_builder(const Planner& planner, const ExampleOptions& limits) {
    return {planner.tokenizer, planner.chat, example_limits(limits, planner.base.config())};
}

RoundData make_round_data(const Planner& planner, RevisionEnvironment& environment, const std::vector<SourceText>& texts,
                          const AlignOptions& options, int64_t round, const fs::path& folder) {
    const std::string name = round_name(round);
    const Stage stage(folder / "pairs");
    const char* const file = "pairs.jsonl";
    if (stage.complete()) {
        return stage.read_summary([&](const Json& s) {
            return RoundData{
                read_rows<Pair>(stage, file, [](const Json& row, const auto& where) { return pair_from_json(row, where); }),
                counts_of(s, "dropped"),
                s.value("unusable", std::map<std::string, int64_t>()),
                s.at("generated_tokens").get<int64_t>(),
                s.at("mean_best_s_a").get<double>(),
                s.at("mean_s_a").get<double>(),
                s.at("s_r_share_of_variance").is_null() ? std::nullopt
                                                        : std::optional(s.at("s_r_share_of_variance").get<double>()),
                s.contains("sampled") ? response_counts_from_json(s.at("sampled")) : ResponseCounts()};
        });
    }
    GeneratorOptions generator = options.generator;
    generator.seed = options.seed;
    generator.stage = name + ".instructions";
    generator.split = Split::train;
    generator.sentences = environment.sentences();
    std::map<std::string, int64_t> dropped;
    const auto instructions = instructions_stage(environment, texts, generator, folder / "instructions", &dropped);

    // Within a flow planner and judge compute for all items that wait for them.
    std::shared_ptr<System> system = planner.system(options.seed);
    std::optional<FlowingJudge> judge;
    if (options.flow != nullptr) {
        system = std::make_shared<ComputedSystem>(*options.flow, system);
        judge.emplace(*options.flow, environment.judge());
    }
    const SessionOptions session_options = {.max_steps = options.history_steps, .flow = options.flow};
    Judge& session_judge = judge ? *judge : environment.judge();
    SamplingOptions greedy = options.sampling;
    greedy.temperature = 0;
    greedy.stage = name + ".histories";
    SystemResponder plain(*system, greedy);
    Session roll_out = environment.session(plain, session_options, &session_judge);
    const Histories made = histories_stage(roll_out, plain, instructions, options, name, folder / "histories");
    const std::vector<Trajectory>& histories = made.rows;

    SamplingOptions drawn = options.sampling;
    drawn.stage = name + ".responses";
    drawn.logprobs = true;         // they choose among equally good responses
    drawn.keep_histories = false;  // nobody goes on behind them
    SystemResponder sampling(*system, drawn);
    Session sampler = environment.session(sampling, session_options, &session_judge);
    std::vector<SampleVerdict> verdicts(histories.size());
    const auto ranked = [&](size_t i, const std::vector<Step>& samples) {
        if (options.judge) verdicts[i] = judge_samples(*options.judge, name, histories[i], samples);
    };
    const auto sampled = sampler.sample(histories, options.samples, ranked);
    JsonLinesWriter responses((stage.path() / "responses.jsonl").string());
    for (size_t i = 0; i < histories.size(); ++i) responses.write(responses_json(histories[i], sampled[i], verdicts[i]));
    responses.close();

    RoundData data = pairs_of(histories, sampled, verdicts, options, round, environment.judge().options().lambda_r);
    for (const auto& [reason, count] : dropped) data.dropped[reason] += count;
    data.generated_tokens = made.generated_tokens + sampling.generated_tokens();
    complete_with(stage, file, data.pairs,
                  {{"dropped", data.dropped},
                   {"unusable", data.unusable},
                   {"generated_tokens", data.generated_tokens},
                   {"mean_best_s_a", data.mean_best},
                   {"s_r_share_of_variance", data.quality_share ? Json(*data.quality_share) : Json()},
                   {"mean_s_a", data.mean_all},
                   {"sampled", to_json(data.sampled)}});
    return data;
}

TrainedStage train_round(Planner& planner, const std::vector<Pair>& pairs, const AlignOptions& options, int64_t round,
                         const fs::path& folder, ProcessGroup& group) {
    return run_stage(planner, examples_of(planner, pairs, options, options.train.loss), options.train,
                     Rng(options.seed, round_name(round) + ".train").next(), folder, group);
}

TrainedStage train_control(Planner& planner, const std::vector<Pair>& pairs, const AlignOptions& options, int64_t round,
                           int64_t tokens, const fs::path& folder, ProcessGroup& group) {
    TrainOptions train_options = options.train;
    train_options.loss = default_loss_options(LossName::sft);
    Examples examples = examples_of(planner, pairs, options, train_options.loss);
    const size_t distinct = examples.trees.size();
    int64_t in_one_epoch = 0;
    for (const TokenTree& tree : examples.trees) in_one_epoch += tree.size();
    const int64_t wanted = tokens / std::max<int64_t>(1, options.train.epochs);
    for (size_t i = 0; in_one_epoch < wanted && distinct > 0; i = (i + 1) % distinct) {
        in_one_epoch += examples.trees[i].size();
        examples.trees.push_back(examples.trees[i]);
    }
    return run_stage(planner, examples, train_options, Rng(options.seed, round_name(round) + ".control").next(), folder,
                     group);
}

}  // namespace craft
