#include "align/work_estimate.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "align/round_training.h"
#include "core/rows.h"
#include "judge/verdicts/guideline.h"
#include "model/decoder/loading_memory.h"
#include "rollout/revision_estimate.h"
#include "systems/open/estimated_role.h"
#include "train/batches.h"
#include "train/estimate.h"
#include "train/operations.h"
#include "train/token_logprobs.h"

namespace craft {

namespace {

constexpr double kBytesPerToken = 4.5;
// Tokens of our prompts' own words, about: share/prompts/planner.full.txt with its tools; the others are a few lines.
constexpr double kPlannerRules = 900, kShortRules = 100;
constexpr double kInstruction = 60, kRequirement = 30, kThoughtAndCalls = 100, kFindings = 150;
constexpr double kPlanOfText = 1.8;      // a plan's tokens to those of its text
constexpr double kSuggestedShare = 0.3;  // of a text's tokens, what one aspect's suggestions quote and say
constexpr double kVerdict = 300;         // a judge's answer
constexpr double kUsedShare = 0.6;       // of a round's instructions, about, that give a pair, or a group with spread
constexpr double kSecondsPerHour = 3600;
constexpr size_t kMeasuredSteps = 2;  // of a training's examples so many steps stand for all

bool is_model(const SystemSpec& spec) {
    return spec.kind != SystemSpec::Kind::rules;
}

size_t whole_tokens(double tokens) {
    return static_cast<size_t>(std::llround(std::max(1.0, tokens)));
}

MaskedTokens branch_of(double read, double written, int64_t first = 0) {
    MaskedTokens branch;
    branch.counted.assign(read > 0 ? whole_tokens(read) : 0, 0);
    branch.counted.resize(branch.counted.size() + whole_tokens(written), 1);
    branch.tokens.assign(branch.counted.size(), 0);
    branch.tokens.front() = first;
    return branch;
}

// Of branches that begin alike the beginning would be computed once.
TokenTree responses_of(double prompt, double response, int64_t count) {
    TokenTree tree{std::vector<int64_t>(whole_tokens(prompt), 0), {}};
    for (int64_t i = 1; i <= count; ++i) tree.branches.push_back(branch_of(0, response, i));
    return tree;
}

// What a judge reads of one history: a guideline, about as long as a planner's rules, and what that shows.
double judged_tokens(const RoundJudgeOptions& judge, const PlannerLengths& lengths, double text, double samples) {
    const bool sees_responses = !judge.guideline.empty() && read_guideline(judge.guideline).sees_responses;
    return kPlannerRules + text * (1 + samples) + (sees_responses ? kInstruction + lengths.response * samples : 0);
}

size_t examples_of_one(const TrainedWork& training) {
    return whole_tokens(training.examples / training.trainings);
}

double usd_or_nan(const AskedWork& asked, const Json& profiles) {
    const Usage usage = {.prompt_tokens = std::llround(asked.prompt_tokens), .new_tokens = std::llround(asked.new_tokens)};
    return hosted_price(asked.system, profiles, usage).value_or(NAN);
}

double operations_of(const AskedWork& asked) {
    const DecoderConfig config = read_decoder_config(asked.system.model);
    const double prompt = asked.prompt_tokens / asked.requests, answer = asked.new_tokens / asked.requests;
    return asked.requests * generation_operations(config, prompt, answer) -
           (asked.requests - asked.prompts) * generation_operations(config, prompt, 0);
}

Json number_or_null(double value) {
    return std::isnan(value) ? Json() : Json(value);
}

Json rounded(double count) {
    return static_cast<int64_t>(std::llround(count));
}

Json weight_bytes(const std::filesystem::path& model, const Placement& place, Quantization quantize) {
    const auto memory = known_loading_memory(model, place.dtype, place.device, quantize);
    return memory ? Json(memory->kept) : Json();
}

// Sums, of which NAN says that a part is not known.
struct Totals {
    double operations = 0, usd = 0, seconds = 0;
};

Json costs_of(const AskedWork& asked, const Json& profiles, const WorkRates& rates, const Placement& place, Totals& totals) {
    Json json = {{"system", asked.system.text()},
                 {"requests", rounded(asked.requests)},
                 {"prompt_tokens", rounded(asked.prompt_tokens)},
                 {"new_tokens", rounded(asked.new_tokens)}};
    totals.seconds += rates.new_tokens > 0 ? asked.new_tokens / rates.new_tokens : NAN;
    if (asked.system.kind == SystemSpec::Kind::hosted) {
        const double usd = usd_or_nan(asked, profiles);
        json["usd"] = number_or_null(usd);
        totals.usd += usd;
    } else {
        const double operations = operations_of(asked);
        json["operations"] = operations;
        json["weight_bytes"] = weight_bytes(asked.system.model, place, Quantization::none);
        totals.operations += operations;
        // New tokens have a rate of their own.
        const DecoderConfig config = read_decoder_config(asked.system.model);
        const double reading = asked.prompts * generation_operations(config, asked.prompt_tokens / asked.requests, 0);
        totals.seconds += rates.operations > 0 ? reading / rates.operations : NAN;
    }
    return json;
}

Json costs_of(const TrainedWork& training, const WorkRates& rates, const std::optional<Placement>& place, Totals& totals) {
    const double operations = training.operations();
    Json json = {{"model", training.model.string()},
                 {"examples", rounded(training.examples)},
                 {"steps", training.steps()},
                 {"tokens", rounded(training.tokens())},
                 {"operations", operations}};
    if (training.logprob_tokens() > 0) json["logprob_tokens"] = rounded(training.logprob_tokens());
    totals.operations += operations;
    const Placement at = place.value_or(Placement());
    json["weight_bytes"] = weight_bytes(training.model, at, training.quantize);
    if (rates.operations > 0 || !place) {
        totals.seconds += rates.operations > 0 ? operations / rates.operations : NAN;
        return json;
    }
    const auto counted = static_cast<size_t>(training.train.batch_size) * kMeasuredSteps;
    const std::vector<TokenTree> trees(std::min(examples_of_one(training), counted), training.example);
    const ProbedModel model{read_decoder_config(training.model), {}, at.dtype, at.device, training.quantize};
    const Estimate measured = estimate_training(training.model, model, trees, training.train, {});
    json["peak_memory_bytes"] = measured.peak_memory;
    json["seconds_per_step"] = measured.seconds_per_step;
    // What comes before the first update goes on at the same rate.
    totals.seconds +=
        measured.seconds_per_step * static_cast<double>(training.steps()) * operations / training.trained_operations();
    return json;
}

}  // namespace

DataSize measured_size(const std::string& path) {
    DataSize size;
    double bytes = 0;
    if (std::filesystem::path(path).extension() != ".jsonl") {
        std::istringstream lines(read_file(path));
        for (std::string line; std::getline(lines, line); ++size.rows) bytes += static_cast<double>(line.size());
        size.text = size.rows > 0 ? bytes / kBytesPerToken / size.rows : 0;
        return size;
    }
    JsonLinesReader reader(path);
    while (const auto row = reader.next()) {
        ++size.rows;
        const auto text = row->find("text");
        const bool has_text = text != row->end() && text->is_string();
        bytes += static_cast<double>(has_text ? text->get_ref<const std::string&>().size() : dump_line(*row).size());
    }
    size.text = size.rows > 0 ? bytes / kBytesPerToken / size.rows : 0;
    return size;
}

PlannerLengths::PlannerLengths(double text)
    : prompt(kPlannerRules + kInstruction + text),
      response(kThoughtAndCalls + kPlanOfText * text),
      observation(kFindings + text) {}

int64_t TrainedWork::steps() const {
    return std::llround(trainings) * steps_per_epoch(examples_of_one(*this), train.batch_size) * train.epochs;
}

double TrainedWork::tokens() const {
    return examples * static_cast<double>(example.size()) * static_cast<double>(train.epochs);
}

double TrainedWork::logprob_tokens() const {
    return examples * static_cast<double>(example.size()) *
           static_cast<double>(logprobs_first(train, examples_of_one(*this)).passes());
}

double TrainedWork::trained_operations() const {
    const DecoderConfig config = read_decoder_config(model);
    const int64_t forward_layers = train.full ? 0 : forward_layers_of(train.lora, config.layers);
    return examples * static_cast<double>(train.epochs) * training_operations(config, example, train.full, forward_layers);
}

double TrainedWork::operations() const {
    const double each = forward_operations(read_decoder_config(model), example);
    return trained_operations() + logprob_tokens() / static_cast<double>(example.size()) * each;
}

void add_asked(WorkEstimate& work, const std::string& role, const SystemSpec& system, double requests, double prompt,
               double answer, std::optional<double> prompts) {
    if (!is_model(system) || requests <= 0) return;
    auto found = std::find_if(work.asked.begin(), work.asked.end(), [&](const AskedWork& one) { return one.role == role; });
    if (found == work.asked.end()) found = work.asked.insert(found, AskedWork{role, system});
    found->requests += requests;
    found->prompt_tokens += requests * prompt;
    found->new_tokens += requests * answer;
    found->prompts += prompts.value_or(requests);
}

double instructions_made(const InstructionRunOptions& o, const DataSize& texts) {
    if (!o.generator.every_text) return static_cast<double>(o.generator.count);
    return texts.rows * static_cast<double>(o.generator.domains.size());
}

WorkEstimate instructions_work(const InstructionRunOptions& o, const DataSize& texts) {
    WorkEstimate work;
    const double rows = instructions_made(o, texts);
    if (is_model(o.easy)) {
        add_asked(work, "easy", o.easy, rows, kShortRules + texts.text, kRequirement);
        return work;
    }
    add_asked(work, "reviser", o.reviser, std::min(texts.rows, rows), kShortRules + texts.text, texts.text);
    add_asked(work, "rewriter", o.rewriter, rows, kShortRules + kInstruction, kInstruction);
    return work;
}

WorkEstimate trajectories_work(const TrajectoryRunOptions& o, const DataSize& instructions) {
    WorkEstimate work;
    const PlannerLengths lengths(instructions.text);
    const auto steps = static_cast<double>(o.session.max_steps);
    const double asked = instructions.rows * steps;
    add_asked(work, "teacher", o.spec, asked, lengths.prompt + (steps - 1) / 2 * lengths.step(), lengths.response);
    add_asked(work, "reviser", o.reviser, asked, kShortRules + lengths.response, instructions.text);
    const double looked_at = instructions.rows * (steps - 1) * static_cast<double>(o.suggestions.aspects.size());
    add_asked(work, "feedback", o.feedback, looked_at, kShortRules + instructions.text, kSuggestedShare * instructions.text);
    return work;
}

WorkEstimate revisions_work(const RevisionRunOptions& o, const DataSize& texts) {
    WorkEstimate work;
    const PlannerLengths lengths(texts.text);
    const auto steps = static_cast<double>(asked_steps(o.method).most);
    const auto suggested = static_cast<double>(suggested_times(o.method).most);
    // A search's histories are as long as its tree is deep, those of rounds as their number.
    const bool is_searched = o.method.method == Method::search;
    const double depth = o.method.method == Method::best_of ? 1
                         : is_searched                      ? std::min(steps, static_cast<double>(o.method.search.depth))
                                                            : steps;
    const double history = (depth - 1) / 2 * lengths.step();
    if (o.plans_by_model()) {
        const double children = is_searched ? static_cast<double>(o.method.search.children) : 1;
        add_asked(work, "planner", o.planner_spec, texts.rows * steps, lengths.prompt + history, lengths.response,
                  texts.rows * steps / children);
    }
    const bool by_instruction = needs_free_reviser(o.method);
    add_asked(work, "reviser", o.reviser_spec, texts.rows * steps,
              kShortRules + (by_instruction ? kInstruction + texts.text : lengths.response), texts.text);
    add_asked(work, "feedback", o.feedback_spec, texts.rows * suggested * static_cast<double>(o.suggestions.aspects.size()),
              kShortRules + texts.text, kSuggestedShare * texts.text);
    return work;
}

WorkEstimate rounds_work(const RoundsToEstimate& r) {
    WorkEstimate work;
    const PlannerLengths lengths(r.text);
    const auto rounds = static_cast<double>(r.align.rounds), most = static_cast<double>(r.align.history_steps);
    const double instructions = rounds * static_cast<double>(r.align.generator.count);
    const double samples = instructions * static_cast<double>(r.align.samples);
    // The step that is sampled is drawn from 1 to `most`: its history has a mean of (most - 1) / 2 steps, and all requests
    // for histories read (most - 1)(most - 2) / 6 steps in all.
    const double steps = (most - 1) / 2, read = (most - 1) * (most - 2) / 6;
    if (steps > 0)
        add_asked(work, "planner", r.planner, instructions * steps, lengths.prompt + read / steps * lengths.step(),
                  lengths.response);
    add_asked(work, "planner", r.planner, samples, lengths.prompt + steps * lengths.step(), lengths.response, instructions);
    const auto dev = static_cast<double>(r.dev), sets = dev + static_cast<double>(r.selection);
    const double controls = r.align.control ? 1 : 0;
    const double evaluated = (rounds + 1) * sets + controls * dev + (2 + controls) * static_cast<double>(r.align.test);
    add_asked(work, "planner", r.planner, evaluated, lengths.prompt, lengths.response);
    add_asked(work, "reviser", r.roles.reviser, instructions * steps + samples, kShortRules + lengths.response, r.text);
    if (r.roles.values_by_reviser) add_asked(work, "reviser", r.roles.reviser, instructions, kShortRules + r.text, r.text);
    add_asked(work, "feedback", r.roles.feedback,
              instructions * steps * static_cast<double>(r.roles.suggestions.aspects.size()), kShortRules + r.text,
              kSuggestedShare * r.text);
    add_asked(work, "rewriter", r.roles.rewriter, instructions + sets, kShortRules + kInstruction, kInstruction);
    if (!r.roles.judge.is_reward())
        add_asked(work, "judge", r.roles.judge.spec.system, instructions,
                  judged_tokens(r.roles.judge, lengths, r.text, static_cast<double>(r.align.samples)), kVerdict);
    const double prompt = lengths.prompt + steps * lengths.step();
    work.trained.push_back(round_trainings(r.align, prompt, lengths.response));
    if (r.align.control) work.trained.push_back(control_trainings(r.align, prompt, lengths.response));
    for (TrainedWork& training : work.trained) {
        training.model = r.planner.model;
        training.quantize = r.quantize;
    }
    return work;
}

TrainedWork round_trainings(const AlignOptions& options, double prompt, double response) {
    TrainedWork rounds{.name = "rounds", .train = round_train_options(options)};
    rounds.trainings = static_cast<double>(options.rounds);
    rounds.examples = kUsedShare * rounds.trainings * static_cast<double>(options.generator.count);
    // A loss that compares nothing sees the chosen responses alone.
    const int64_t of_pair = needs_pairs(options.train.loss.name) ? 2 : 1;
    rounds.example = responses_of(prompt, response, options.method ? options.samples : of_pair);
    return rounds;
}

TrainedWork control_trainings(const AlignOptions& options, double prompt, double response) {
    const TrainedWork rounds = round_trainings(options, prompt, response);
    TrainedWork control{.name = "control", .train = control_train_options(options), .trainings = rounds.trainings};
    control.example = responses_of(prompt, response, 1);
    control.examples =
        rounds.examples * static_cast<double>(rounds.example.size()) / static_cast<double>(control.example.size());
    return control;
}

TrainedWork sequence_training(const DataSize& sequences) {
    const PlannerLengths lengths(sequences.text);
    const double written = sequences.steps > 0 ? sequences.steps * lengths.response : sequences.text / 2;
    const double read = sequences.steps > 0 ? lengths.prompt + sequences.steps * lengths.observation : sequences.text / 2;
    TrainedWork training{.name = "sft", .examples = sequences.rows};
    training.example.branches = {branch_of(read, written)};
    return training;
}

TrainedWork pair_training(const DataSize& pairs) {
    TrainedWork training{.name = "pairs", .examples = pairs.rows};
    training.example = responses_of(pairs.text / 3, pairs.text / 3, 2);
    return training;
}

Json to_json(const WorkEstimate& work, const Json& profiles, const WorkRates& rates, const std::optional<Placement>& place) {
    Json json = {{"roles", Json::object()}, {"trainings", Json::object()}};
    Totals totals;
    for (const AskedWork& asked : work.asked)
        json["roles"][asked.role] = costs_of(asked, profiles, rates, place.value_or(Placement()), totals);
    for (const TrainedWork& training : work.trained)
        json["trainings"][training.name] = costs_of(training, rates, place, totals);
    json["operations"] = totals.operations;
    json["usd"] = number_or_null(totals.usd);
    json["hours"] = number_or_null(totals.seconds / kSecondsPerHour);
    return json;
}

}  // namespace craft
