#include "train/training_ranks.h"

#include <torch/types.h>

#include "core/error.h"
#include "core/signals.h"
#include "train/figures_sum.h"
#include "train/shares.h"

namespace craft {

TrainingRanks::TrainingRanks(ProcessGroup& group, std::vector<std::pair<std::string, at::Tensor>> leaves,
                             const std::filesystem::path& checkpoints, const AdamWOptions& options, bool sharded)
    : group_(group), sharded_(sharded && group.size() > 1) {
    if (group_.is_first()) checkpoints_.emplace(checkpoints);
    if (group_.size() > 1) {
        std::vector<at::Tensor> tensors;
        for (const auto& [name, leaf] : leaves) tensors.push_back(leaf);
        reducer_.emplace(group_, std::move(tensors));
    }
    if (sharded_)
        optimizer_.emplace(std::move(leaves), options, group_);
    else
        optimizer_.emplace(std::move(leaves), options);
}

BatchFigures TrainingRanks::run(Decoder& decoder, const std::vector<const TokenTree*>& examples, const LossOptions& loss,
                                BatchRun run) {
    if (group_.size() == 1) return run_batch(decoder, examples, loss, run);
    std::vector<int64_t> sizes;
    for (const auto* tree : examples) sizes.push_back(tree->size());
    run.share = split_by_tokens(sizes, group_.size())[static_cast<size_t>(group_.rank())];
    if (run.backward) {
        reducer_->begin();
        optimizer_->collect_into(reducer_->buffers());
        run.before_last_backward = [&] { reducer_->watch_backward(); };
    }
    BatchFigures figures;
    try {
        figures = run_batch(decoder, examples, loss, run);
    } catch (const Stopped&) {}  // the others hear of it in the sums
    if (run.backward) reducer_->finish();
    if (const int signal = sum_figures(group_, figures); signal != 0) {
        stopped_together_ = true;
        throw Stopped(signal);
    }
    if (run.likelihood_gradients != nullptr)
        for (const at::Tensor& gradient : *run.likelihood_gradients) group_.sum(gradient);
    return figures;
}

void TrainingRanks::throw_if_stopped_alone() const {
    if (group_.size() == 1) throw_if_stopped();
}

double TrainingRanks::score(const std::function<double()>& score) const {
    double value = 0;
    group_.run_on_first_rank([&] { value = score(); });
    return Json::parse(group_.broadcast_text(dump_line(Json::array({value})))).at(0).get<double>();
}

std::optional<TrainState> TrainingRanks::resume(const std::string& fingerprint) {
    std::optional<Checkpoint> checkpoint;
    if (is_first()) checkpoint = checkpoints_->newest();
    if (checkpoint && checkpoint->fingerprint != fingerprint)
        throw Error(checkpoints_->file(checkpoint->state.step).string(),
                    "a checkpoint of the same data, options and starting weights", "one of another run",
                    "choose another folder, or --overwrite");
    const std::string state = group_.broadcast_text(checkpoint ? dump_line(to_json(checkpoint->state)) : "");
    if (state.empty()) return std::nullopt;
    const TrainState resumed = train_state_from_json(Json::parse(state));
    optimizer_->restore_from_first(group_, checkpoint ? checkpoint->tensors : NamedTensors{}, resumed.step);
    return resumed;
}

void TrainingRanks::restore(int64_t step) {
    optimizer_->restore_from_first(group_, is_first() ? checkpoints_->at_step(step).tensors : NamedTensors{}, step);
}

void TrainingRanks::save(const TrainState& state, const std::string& fingerprint, int64_t keep, int64_t pinned) const {
    const NamedTensors tensors = optimizer_->state();
    if (!is_first()) return;
    checkpoints_->save({state, fingerprint, tensors});
    checkpoints_->prune(keep, pinned);
}

void TrainingRanks::leave_together() const {
    if (!stopped_together_) return;
    try {
        group_.sum(at::zeros({1}));
    } catch (const LostRank&) {
        return;  // what there was to save is saved
    }
}

std::optional<int64_t> TrainingRanks::newest_checkpoint() const {
    const std::vector<int64_t> steps = checkpoints_->steps();
    return steps.empty() ? std::nullopt : std::optional(steps.back());
}

}  // namespace craft
