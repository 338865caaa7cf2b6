#include "cli/training.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "cli/model_memory.h"
#include "cli/ranks.h"
#include "core/error.h"
#include "core/model_files.h"
#include "core/rng.h"
#include "data/pair_file.h"
#include "losses/choice_names.h"
#include "model/chat/chat_template.h"
#include "model/tokenizer/plain_text.h"
#include "systems/prompts.h"
#include "train/batches.h"
#include "train/read_examples.h"
#include "train/training_memory.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Of either kind of file; TRL's form has a reader of its own.
int64_t read_pairs(const std::string& path, const JsonLinesOptions& lines, bool chosen_only, ExampleBuilder& builder) {
    if (!hdf5_format(path)) return read_pair_examples(path, lines, chosen_only, builder);
    return for_each_pair(path, lines, &builder.unknown_keys(), [&](const Pair& pair, const std::string& where) {
        if (chosen_only)
            builder.add_completion(pair.prompt, pair.chosen, where);
        else
            builder.add_pair(pair, where);
    });
}

}  // namespace

Examples read_training_data(const std::string& path, DataForm form, const TrainingOptions& options,
                            const DecoderConfig& config) {
    const std::shared_ptr<const Tokenizer> tokenizer = open_tokenizer(options.model);
    ExampleBuilder builder(tokenizer, chat_template_on_demand(options.model, options.chat),
                           example_limits(options.examples, config));
    const bool chosen_only = !needs_pairs(options.train.loss.name);
    const int64_t bad = form == DataForm::pairs ? read_pairs(path, options.lines, chosen_only, builder)
                                                : read_sft_examples(path, options.lines, builder);
    Examples examples = builder.take();
    if (bad > 0) examples.dropped["bad line"] = bad;
    Json fields = {{"examples", examples.trees.size()}};
    for (const auto& [reason, count] : examples.dropped) fields["dropped: " + reason] = count;
    log_info("read " + path, fields);
    examples.unknown_keys.warn(path);
    warn_of_doubled_starts(*tokenizer, path, examples.doubled_starts);
    if (options.examples.plans < 1 && examples.cut_plans == 0)
        log_warning(path + ": data.plans changes nothing here", {{"hint", "it is of trajectories, which have plans"}});
    if (examples.empty_turns > 0)
        log_warning(path + ": empty assistant turns do not count",
                    {{"turns", examples.empty_turns}, {"hint", "--set data.keep_empty_turns=true trains on them"}});
    return examples;
}

namespace {

// Of a prompt the tokens count with each of its responses.
int64_t sequence_tokens(const TokenTree& tree) {
    int64_t tokens = 0;
    for (const MaskedTokens& branch : tree.branches)
        tokens += static_cast<int64_t>(tree.prefix.size() + branch.tokens.size());
    return tokens;
}

}  // namespace

void draw_examples(Examples& examples, int64_t count, int64_t tokens, uint64_t seed) {
    std::vector<size_t> places(examples.trees.size());
    std::iota(places.begin(), places.end(), size_t{0});
    Rng rng(seed, "examples that are drawn");
    rng.shuffle(places);  // the first ones of more are the same, so that sets of several sizes lie within each other
    size_t wanted = count == 0 ? places.size() : std::min(places.size(), static_cast<size_t>(count));
    int64_t left = tokens;
    for (size_t i = 0; tokens > 0 && i < wanted; ++i) {
        if (left <= 0) wanted = i;
        left -= sequence_tokens(examples.trees[places[i]]);
    }
    if (wanted == places.size()) return;
    std::sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(wanted));
    std::vector<TokenTree> drawn;
    drawn.reserve(wanted);
    for (size_t i = 0; i < wanted; ++i) drawn.push_back(std::move(examples.trees[places[i]]));
    examples.dropped["not drawn"] += static_cast<int64_t>(places.size() - wanted);
    examples.trees = std::move(drawn);
}

namespace {

// Warm-up, schedule and the moments of AdamW need some steps to come to anything.
void warn_of_few_steps(const TrainOptions& options, size_t examples) {
    constexpr int64_t kFew = 20;
    const int64_t steps = steps_per_epoch(examples, options.batch_size) * options.epochs;
    if (steps >= kFew) return;
    log_warning("the run has few optimiser steps and may learn little",
                {{"steps", steps},
                 {"examples", examples},
                 {"hint", "--batch-size, now " + std::to_string(options.batch_size) +
                              ", gives more steps if smaller, as do more --epochs"}});
}

void note_dropped(RunFolder& run, const Examples& examples, const std::string& counted_as) {
    for (const auto& [reason, count] : examples.dropped) run.set_dropped(counted_as + reason, count);
}

[[noreturn]] void throw_no_examples(const std::string& data, const Examples& examples) {
    throw Error(data, "at least one example to train on", "none" + dropped_note(examples.dropped));
}

// The prompt that the data were made with; else what the adapter or the model was trained with before; else none.
std::string prompt_of(const Examples& examples, const TrainingOptions& options) {
    std::string prompt = examples.opening.empty() ? "" : recognised_prompt(examples.opening);
    for (const fs::path& before : {options.adapter, options.model})
        if (prompt.empty() && !before.empty()) prompt = noted_prompt(before);
    return prompt;
}

Json summary_of(const TrainResult& result) {
    Json summary = {{"steps", result.steps},
                    {"epochs", result.epochs},
                    {"tokens", result.tokens},
                    {"seconds", result.seconds},
                    {"compute_seconds", result.compute_seconds}};
    for (const char* key : {"loss", "accuracy"})
        if (result.last_metrics.contains(key)) summary[std::string("last_") + key] = result.last_metrics[key];
    return summary;
}

}  // namespace

TrainedWork estimated(TrainedWork training, const TrainingOptions& options) {
    training.model = options.model;
    training.quantize = options.quantize;
    training.train = options.train;
    if (options.count > 0) training.examples = std::min(training.examples, static_cast<double>(options.count));
    return training;
}

Json to_json(const LossOptions& loss) {
    if (!needs_pairs(loss.name)) return {{"name", loss_name(loss.name)}};
    Json json = {{"name", loss_name(loss.name)}, {"beta", loss.beta}, {"gamma", loss.gamma}, {"alpha", loss.alpha}};
    if (needs_reference(loss.name)) json["reference"] = choice_name(loss.reference);
    return json;
}

Json to_json(const Decoder& base) {
    return {{"quantize", name_of(base.quantization())}, {"weight_bytes", base.weight_bytes()}};
}

Decoder open_trainable(const TrainingOptions& options, const Placement& place) {
    Decoder decoder = Decoder::load(options.model, place.dtype, place.device, options.quantize);
    if (!options.adapter.empty()) decoder.load_adapter(options.adapter, /*trainable=*/true);
    make_trainable(decoder, options.train);
    return decoder;
}

void save_trained(const Decoder& decoder, const TrainingOptions& options, const fs::path& out) {
    if (!options.train.full) return decoder.save_adapter(out / "adapter");
    decoder.save(out / "model", decoder.dtype());
    copy_tokenizer(options.model, out / "model");
    put_chat_template(out / "model", options.chat.chat_template);
}

namespace {

// What cannot work is said before files are hashed and read for minutes.
void expect_full_training_fits(const TrainingOptions& options, const Placement& place, const ProcessGroup& group) {
    const auto bytes = [&](int64_t weights) {
        return full_training_bytes(weights, place.dtype, options.train, group.size());
    };
    const int64_t processes = place.device.is_cpu() ? group.local_size() : 1;
    expect_model_fits(options.model, place, {bytes, "gradients and AdamW's states", processes});
}

void train_in_ranks(const Command& command, const OptionTable& table, const CommonOptions& common, TrainingOptions options,
                    const std::string& data, DataForm form, ProcessGroup& group) {
    options.train.seed = common.seed;
    if (options.train.full) check_own_files(options.model);  // before the hours at whose end they are copied
    const Placement place = open_placement(common);
    if (options.train.full) expect_full_training_fits(options, place, group);
    RunFolder run = open_run(command, table, common, group);
    if (run.finished()) return;
    group.connect(place.device);
    if (group.size() > 1) run.note("parallel", to_json(group));

    const DecoderConfig config = read_decoder_config(options.model);
    Examples examples = read_training_data(data, form, options, config);
    draw_examples(examples, options.count, options.tokens, common.seed);
    note_dropped(run, examples, "");
    if (examples.empty_turns > 0) run.note("empty_turns", examples.empty_turns);
    int64_t tokens = 0;
    for (const TokenTree& tree : examples.trees) tokens += sequence_tokens(tree);
    run.note("sequence_tokens", tokens);
    examples.trees = join_equal_starts(std::move(examples.trees), kSharedStart, static_cast<size_t>(options.join));
    const std::string prompt = prompt_of(examples, options);
    Examples eval_examples;
    if (!options.eval_data.empty()) {
        eval_examples = read_training_data(options.eval_data, form, options, config);
        note_dropped(run, eval_examples, "eval data: ");
    }
    UnknownKeys unknown = examples.unknown_keys;
    unknown.add(eval_examples.unknown_keys);
    note_unknown_keys(run, unknown);
    run.note("loss", to_json(options.train.loss));
    run.save_manifest();
    Decoder decoder = open_trainable(options, place);
    run.note("base", to_json(decoder));
    if (examples.trees.empty()) throw_no_examples(data, examples);
    if (group.is_first()) warn_of_few_steps(options.train, examples.trees.size());
    run.replace_former();
    const TrainResult result = train(decoder, examples.trees, options.train, run.path(), {}, eval_examples.trees, group);
    const fs::path trained = run.path() / (options.train.full ? "model" : "adapter");
    group.run_on_first_rank([&] {
        save_trained(decoder, options, run.path());
        if (!prompt.empty()) note_prompt(trained, prompt);
        run.note("examples", examples.trees.size());
        run.note("training", summary_of(result));
        run.finish();
    });
    log_info("trained " + trained.string(), summary_of(result));
}

}  // namespace

int run_training(const Command& command, const OptionTable& table, CommonOptions common, TrainingOptions options,
                 const std::string& data, DataForm form) {
    if (options.estimate) return run_estimate(common, std::move(options), data, form);
    return in_ranks(table, common, [&](ProcessGroup& group) {
        train_in_ranks(command, table, common, std::move(options), data, form, group);
    });
}

}  // namespace craft
