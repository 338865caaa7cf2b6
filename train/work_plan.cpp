#include "train/work_plan.h"

#include <algorithm>
#include <numeric>

#include "train/batch_loss.h"
#include "train/batches.h"
#include "train/operations.h"
#include "train/shares.h"

namespace craft {

namespace {

constexpr int64_t kExamplesLookedAt = 10'000'000;

class Planner {
public:
    Planner(const DecoderConfig& config, const std::vector<TokenTree>& data, const TrainOptions& options,
            const at::Device& device, int ranks)
        : options_(options), device_(device), ranks_(ranks) {
        for (const TokenTree& tree : data) {
            tokens_.push_back(tree.size());
            operations_.push_back(training_operations(config, tree, options.full,
                                                      options.full ? 0 : forward_layers_of(options.lora, config.layers)));
        }
        plan_.epoch_steps = steps_per_epoch(data.size(), options.batch_size);
        plan_.epoch_tokens = std::accumulate(tokens_.begin(), tokens_.end(), int64_t{0});
    }

    WorkPlan plan() {
        const auto examples = static_cast<int64_t>(tokens_.size());
        // In their order all epochs are alike.
        const int64_t epochs = options_.order == Order::sequential ? 1 : options_.epochs;
        for (int64_t epoch = 0; epoch < epochs && (epoch == 0 || epoch * examples < kExamplesLookedAt); ++epoch)
            add_epoch(epoch);
        return std::move(plan_);
    }

private:
    void add_epoch(int64_t epoch) {
        const std::vector<size_t> order = epoch_order(tokens_.size(), options_, epoch);
        const auto batch = static_cast<size_t>(options_.batch_size);
        for (size_t begin = 0; begin < order.size(); begin += batch)
            add_step({order.begin() + static_cast<std::ptrdiff_t>(begin),
                      order.begin() + static_cast<std::ptrdiff_t>(std::min(order.size(), begin + batch))},
                     epoch == 0);
    }

    void add_step(const std::vector<size_t>& examples, bool kept) {
        std::vector<int64_t> sizes;
        for (const size_t example : examples) sizes.push_back(tokens_[example]);
        std::vector<PlannedMicroBatch> busiest;
        double most = -1;
        for (const std::vector<size_t>& share : split_by_tokens(sizes, ranks_)) {
            std::vector<PlannedMicroBatch> cut = micro_batches(examples, share);
            double operations = 0;
            for (const PlannedMicroBatch& one : cut) {
                operations += one.operations;
                if (one.tokens > plan_.largest.tokens) plan_.largest = one;
            }
            plan_.accumulates = plan_.accumulates || cut.size() > 1;
            if (operations > most) busiest = std::move(cut);
            most = std::max(most, operations);
        }
        if (kept) plan_.micro_batches.insert(plan_.micro_batches.end(), busiest.begin(), busiest.end());
    }

    // As run_batch() cuts them.
    std::vector<PlannedMicroBatch> micro_batches(const std::vector<size_t>& examples,
                                                 const std::vector<size_t>& share) const {
        std::vector<int64_t> sizes;
        for (const size_t place : share) sizes.push_back(tokens_[examples[place]]);
        std::vector<PlannedMicroBatch> cut;
        for (const auto& [begin, end] :
             cut_by_tokens(sizes, micro_batch_budget(options_.micro_batch_tokens, device_, sizes))) {
            PlannedMicroBatch& one = cut.emplace_back();
            for (size_t i = begin; i < end; ++i) {
                const size_t example = examples[share[i]];
                one.examples.push_back(example);
                one.tokens += tokens_[example];
                one.operations += operations_[example];
            }
        }
        return cut;
    }

    const TrainOptions& options_;
    at::Device device_;
    int ranks_;
    std::vector<int64_t> tokens_;
    std::vector<double> operations_;
    WorkPlan plan_;
};

}  // namespace

WorkPlan plan_work(const DecoderConfig& config, const std::vector<TokenTree>& data, const TrainOptions& options,
                   const at::Device& device, int ranks) {
    return Planner(config, data, options, device, ranks).plan();
}

std::vector<WorkSample> sample_work(const WorkPlan& plan, size_t count) {
    std::vector<const PlannedMicroBatch*> sorted;
    for (const PlannedMicroBatch& one : plan.micro_batches) sorted.push_back(&one);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto* a, const auto* b) { return a->operations < b->operations; });
    count = std::min(count, sorted.size());
    std::vector<WorkSample> samples;
    for (size_t i = 0; i < count; ++i) {
        const size_t begin = i * sorted.size() / count, end = (i + 1) * sorted.size() / count;
        double operations = 0;
        for (size_t j = begin; j < end; ++j) operations += sorted[j]->operations;
        const PlannedMicroBatch& middle = *sorted[(begin + end) / 2];
        samples.push_back({middle, operations / middle.operations});
    }
    return samples;
}

}  // namespace craft
