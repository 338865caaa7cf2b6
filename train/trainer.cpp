#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/metrics.h"
#include "core/progress.h"
#include "core/rng.h"
#include "core/signals.h"
#include "train/bad_batch.h"
#include "train/batches.h"
#include "train/memory_meter.h"
#include "train/operations.h"
#include "train/reference.h"
#include "train/schedule.h"
#include "train/step_trace.h"
#include "train/training_ranks.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

uint64_t hash_tree(const TokenTree& tree, uint64_t hash) {
    const auto add = [&](const auto& values) {
        const uint64_t size = values.size();
        hash = stable_hash({reinterpret_cast<const char*>(&size), sizeof size}, hash);
        hash = stable_hash({reinterpret_cast<const char*>(values.data()), size * sizeof(values[0])}, hash);
    };
    add(tree.prefix);
    for (const auto& branch : tree.branches) {
        add(branch.tokens);
        add(branch.counted);
    }
    return hash;
}

// What a checkpoint belongs to: data, options and starting weights, from which log-probabilities of groups follow.
std::string fingerprint_of(const std::vector<TokenTree>& data, const std::vector<SampledGroup>& groups,
                           const std::vector<TokenTree>& eval_data, const TrainOptions& options, const NamedTensors& start) {
    uint64_t hash = stable_hash(result_options(options));
    for (const auto* trees : {&data, &eval_data})
        for (const auto& tree : *trees) hash = hash_tree(tree, hash);
    for (const SampledGroup& group : groups)
        hash = stable_hash(
            {reinterpret_cast<const char*>(group.rewards.data()), group.rewards.size() * sizeof(group.rewards[0])}, hash);
    for (const auto& [name, tensor] : start) {
        throw_if_stopped();
        const at::Tensor values = tensor.detach().cpu().contiguous();
        hash = stable_hash(name, hash);
        hash = stable_hash({static_cast<const char*>(values.const_data_ptr()), values.nbytes()}, hash);
    }
    return std::to_string(hash);
}

class Trainer {
public:
    Trainer(Decoder& decoder, const std::vector<TokenTree>& data, const TrainOptions& options, const fs::path& folder,
            const TrainCallbacks& callbacks, const std::vector<TokenTree>& eval_data, ProcessGroup& group,
            const std::vector<SampledGroup>& groups)
        : decoder_(decoder),
          data_(data),
          groups_(groups),
          eval_data_(eval_data),
          options_(options),
          callbacks_(callbacks),
          folder_(folder),
          group_(group),
          ranks_(group, decoder.trainable(), folder / "checkpoints",
                 {.beta2 = options.beta2, .weight_decay = options.weight_decay, .average = options.average},
                 /*sharded=*/options.full),
          optimizer_(ranks_.optimizer()),
          fingerprint_(fingerprint_of(data, groups, eval_data, options, decoder.trainable())),
          epoch_steps_(steps_per_epoch(data.size(), options.batch_size)),
          total_steps_(epoch_steps_ * options.epochs) {}

    TrainResult run() {
        group_.require_same("training data, options and starting weights", fingerprint_);
        if (needs_reference(options_.loss.name))  // before a checkpoint's weights replace those of the start
            references_ = training_references(decoder_, data_, eval_data_, options_.loss, options_.micro_batch_tokens,
                                              fingerprint_, folder_, group_);
        resume();
        if (ranks_.is_first())
            metrics_ =
                std::make_unique<MetricsLog>(folder_ / "metrics.jsonl", folder_ / "tb" / "train", "train", state_.step);
        if (ranks_.is_first() && !eval_data_.empty())
            evaluations_ =
                std::make_unique<MetricsLog>(folder_ / "eval.jsonl", folder_ / "tb" / "eval", "eval", state_.evaluated);
        try {
            loop();
        } catch (const Stopped&) {  // whoever threw it: the last whole step is kept
            optimizer_.drop_gradients();
            if (ranks_.can_save()) save();
            ranks_.leave_together();
            throw;
        } catch (const LostRank& lost) {
            optimizer_.drop_gradients();
            if (ranks_.can_save()) save();
            throw LostRank(lost.what() + kept());
        }
        restore_best_epoch();
        optimizer_.show_average();
        return result();
    }

private:
    void resume() {
        const auto state = ranks_.resume(fingerprint_);
        if (!state) return;
        state_ = *state;
        saved_ = true;
        log_info("training resumes from a checkpoint", {{"step", state_.step}, {"of", total_steps_}});
    }

    void loop() {
        const StopNotice notice("after this layer of the model");
        StepTrace trace(options_.profile && ranks_.is_first() ? folder_ / "trace.json" : fs::path(),
                        total_steps_ - state_.step, decoder_.device().is_cuda());
        Progress progress("training", total_steps_, "steps", state_.step);
        if (!at_end()) product_rate_ = product_rate(decoder_.device(), decoder_.dtype());
        step_end_ = now();
        while (true) {
            if (score_due()) score_epoch();
            if (evaluation_due()) evaluate();
            if (save_due()) save();
            if (at_end()) break;
            ranks_.throw_if_stopped_alone();
            trace.before_step();
            const StepMetrics metrics = step();
            trace.after_step();
            char note[40];
            std::snprintf(note, sizeof note, "loss %.4f", metrics.figures.loss);
            progress.advance(1, note);
            if (callbacks_.on_step) callbacks_.on_step(metrics);
        }
        progress.finish();
    }

    bool at_epoch_end() const { return state_.step > 0 && state_.step % epoch_steps_ == 0; }
    int64_t epochs_done() const { return state_.step / epoch_steps_; }
    bool at_end() const { return state_.step == total_steps_ || state_.stopped_early; }
    bool score_due() const {
        return callbacks_.epoch_score && at_epoch_end() && static_cast<int64_t>(state_.scores.size()) < epochs_done();
    }
    bool evaluation_due() const {
        if (eval_data_.empty() || state_.evaluated == state_.step || state_.step == 0) return false;
        return at_end() || (options_.eval_every > 0 && state_.step % options_.eval_every == 0);
    }
    bool save_due() const {
        if (saved_ || state_.step == 0) return false;
        return at_end() || at_epoch_end() || (options_.save_every > 0 && state_.step % options_.save_every == 0);
    }

    void save() {
        if (saved_ || state_.step == 0) return;
        if (metrics_) metrics_->flush();
        if (evaluations_) evaluations_->flush();
        ranks_.save(state_, fingerprint_, options_.keep, state_.scores.empty() ? -1 : best_epoch() * epoch_steps_);
        saved_ = true;
    }

    // Figures and gradient norm of the step, checked; the update itself; then the row.
    StepMetrics step() {
        std::vector<const TokenTree*> examples;
        BatchRun run;
        run.policy = options_.policy ? &*options_.policy : nullptr;
        for (const size_t i : batch_of_step(data_.size(), options_, state_.step)) {
            examples.push_back(&data_[i]);
            if (options_.policy) run.groups.push_back(&groups_[i]);
            if (!references_.data.empty()) run.references.push_back(references_.data[i]);
        }
        StepMetrics metrics;
        metrics.step = state_.step + 1;
        metrics.total_steps = total_steps_;
        const double lr = learning_rate(options_, state_.step, total_steps_);
        metrics.lr = lr;
        run.micro_batch_tokens = options_.micro_batch_tokens;
        run.dropout_seed = Rng(options_.seed, "train: dropout", static_cast<uint64_t>(state_.step)).next();
        run.after_micro_batch = [&] {
            optimizer_.collect_gradients();
            throw_if_stopped();
        };
        std::vector<at::Tensor> likelihood;
        const bool parts = options_.part_norms_every > 0 && metrics.step % options_.part_norms_every == 0;
        if (parts) run.likelihood_gradients = &likelihood;
        const double compute_start = now();
        metrics.figures = ranks_.run(decoder_, examples, options_.loss, run);
        state_.compute_seconds += now() - compute_start;
        if (parts) {
            const AdamW::PartNorms norms = optimizer_.norms_of(likelihood);
            metrics.likelihood_grad_norm = norms.part;
            metrics.preference_grad_norm = norms.rest;
        }
        metrics.grad_norm = optimizer_.clip(options_.max_grad_norm);
        check_finite(metrics, examples, run.references);
        optimizer_.step(lr);
        const double end = now();
        metrics.seconds = end - step_end_;
        double operations = 0;
        const int64_t forward_layers =
            decoder_.adapter() ? forward_layers_of(*decoder_.adapter(), decoder_.config().layers) : 0;
        for (const TokenTree* tree : examples)
            operations += training_operations(decoder_.config(), *tree, options_.full, forward_layers);
        metrics.mfu = operations / metrics.seconds / (product_rate_ * static_cast<double>(ranks_.size()));
        step_end_ = end;
        finish_step(metrics);
        return metrics;
    }

    void finish_step(const StepMetrics& metrics) {
        state_.step = metrics.step;
        state_.tokens += metrics.figures.tokens;
        state_.seconds += metrics.seconds;
        state_.last_metrics = to_json(metrics);
        if (decoder_.device().is_cuda())
            state_.last_metrics["peak_gpu_memory_bytes"] = MemoryMeter(decoder_.device()).peak();
        saved_ = false;
        if (metrics_) metrics_->write(state_.step, state_.last_metrics);
    }

    void check_finite(const StepMetrics& metrics, const std::vector<const TokenTree*>& examples,
                      const std::vector<ReferenceSums>& references) {
        if (std::isfinite(metrics.figures.loss) && std::isfinite(*metrics.grad_norm)) return;
        optimizer_.drop_gradients();
        const fs::path batch = folder_ / "bad_batch.jsonl";
        if (ranks_.is_first()) write_bad_batch(batch, metrics.step, examples, options_.loss, references);
        throw Error("training step " + std::to_string(metrics.step), "a finite loss and gradient",
                    "loss " + std::to_string(metrics.figures.loss) + ", gradient norm " + std::to_string(*metrics.grad_norm),
                    "lower --lr; its batch lies in " + batch.string() +
                        " (craft-train loss reads it), earlier checkpoints in " + (folder_ / "checkpoints").string());
    }

    void score_epoch() {
        const StopNotice notice("");  // who scores does more than compute layers
        optimizer_.show_average();
        const double score = ranks_.score([&] { return callbacks_.epoch_score(epochs_done()); });
        optimizer_.show_weights();
        if (!std::isfinite(score))
            throw Error("selection score of epoch " + std::to_string(epochs_done()), "a finite number");
        if (options_.min_epoch_gain && !state_.scores.empty()) {
            const double best = *std::max_element(state_.scores.begin(), state_.scores.end());
            const bool learned_something = best >= *options_.min_epoch_gain;
            state_.stopped_early = learned_something && score - best < *options_.min_epoch_gain;
        }
        state_.scores.push_back(score);
        saved_ = false;
        log_info("epoch scored", {{"epoch", epochs_done()}, {"score", score}, {"stops", state_.stopped_early}});
        save();
        step_end_ = now();  // not part of the next step's time
    }

    void evaluate() {
        std::vector<const TokenTree*> examples;
        for (const auto& tree : eval_data_) examples.push_back(&tree);
        const double start = now();
        optimizer_.show_average();
        const BatchFigures figures = ranks_.run(decoder_, examples, options_.loss,
                                                {.backward = false,
                                                 .micro_batch_tokens = options_.micro_batch_tokens,
                                                 .after_micro_batch = throw_if_stopped,
                                                 .references = references_.eval_data});
        optimizer_.show_weights();
        if (!std::isfinite(figures.loss))
            throw Error("evaluation after step " + std::to_string(state_.step), "a finite loss",
                        std::to_string(figures.loss));
        if (evaluations_)
            evaluations_->write(state_.step, to_json({.step = state_.step, .figures = figures, .seconds = now() - start}));
        state_.evaluated = state_.step;
        saved_ = false;
        step_end_ = now();
    }

    // For the message of a run that lost a rank.
    std::string kept() const {
        if (!ranks_.is_first()) return "";
        const auto step = ranks_.newest_checkpoint();
        return step ? "; the checkpoint of step " + std::to_string(*step) +
                          " is intact, rerun to resume from it with any number of ranks"
                    : "; there is no checkpoint yet (train.save_every)";
    }

    int64_t best_epoch() const {
        // Of equal ones the last: it is trained longer.
        const auto best = std::max_element(state_.scores.rbegin(), state_.scores.rend());
        return best == state_.scores.rend() ? epochs_done() : state_.scores.rend() - best;
    }

    void restore_best_epoch() {
        const int64_t step = best_epoch() * epoch_steps_;
        if (state_.scores.empty() || step == state_.step) return;
        ranks_.restore(step);
    }

    TrainResult result() const {
        return {.steps = state_.step,
                .epochs = epochs_done(),
                .best_epoch = best_epoch(),
                .scores = state_.scores,
                .stopped_early = state_.stopped_early,
                .tokens = state_.tokens,
                .seconds = state_.seconds,
                .compute_seconds = state_.compute_seconds,
                .last_metrics = state_.last_metrics};
    }

    Decoder& decoder_;
    const std::vector<TokenTree>& data_;
    const std::vector<SampledGroup>& groups_;
    const std::vector<TokenTree>& eval_data_;
    const TrainOptions& options_;
    const TrainCallbacks& callbacks_;
    fs::path folder_;
    ProcessGroup& group_;
    TrainingRanks ranks_;
    AdamW& optimizer_;
    std::string fingerprint_;
    TrainingReferences references_;  // of a loss that needs them
    int64_t epoch_steps_, total_steps_;
    double product_rate_ = 0;  // operations a second; measured where there is something to do
    TrainState state_;
    bool saved_ = false;  // state_ is in a checkpoint
    double step_end_ = 0;
    std::unique_ptr<MetricsLog> metrics_, evaluations_;
};

}  // namespace

TrainResult train(Decoder& decoder, const std::vector<TokenTree>& data, const TrainOptions& options, const fs::path& folder,
                  const TrainCallbacks& callbacks, const std::vector<TokenTree>& eval_data, ProcessGroup& group,
                  const std::vector<SampledGroup>& groups) {
    std::vector<std::string> problems;
    for (const FieldProblem& problem : train_problems(options)) problems.push_back(problem.line());
    if (!problems.empty()) throw UsageError(std::move(problems));
    if (data.empty()) throw Error("training data", "at least one example", "none", "see the counts of what was dropped");
    if (groups.size() != (options.policy ? data.size() : 0))
        throw Error("training data", options.policy ? "a group's rewards for each example" : "no rewards without a policy",
                    std::to_string(groups.size()) + " for " + std::to_string(data.size()) + " examples");
    if (options.policy && !eval_data.empty())
        throw Error("training with a policy", "no evaluation data", "some", "they have no rewards");
    if (decoder.trainable().empty()) throw Error("training", "weights that are trained", "a frozen model");
    int64_t largest = 0;
    for (const auto& tree : data) largest = std::max(largest, tree.size());
    if (options.micro_batch_tokens > 0 && largest > options.micro_batch_tokens)
        log_warning("the largest example exceeds --micro-batch-tokens and is computed whole",
                    {{"tokens", largest}, {"micro_batch_tokens", options.micro_batch_tokens}});
    if (group.is_first()) ensure_folder(folder);
    return Trainer(decoder, data, options, folder, callbacks, eval_data, group, groups).run();
}

}  // namespace craft
