#include "train/batch_loss.h"

#include <ATen/Context.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/rng.h"

namespace craft {

namespace {

int64_t counted_tokens(const MaskedTokens& branch) {
    return std::count_if(branch.counted.begin(), branch.counted.end(), [](uint8_t flag) { return flag != 0; });
}

// What the whole step is divided by.
struct StepTotals {
    double examples = 0, responses = 0;
    double chosen_tokens = 0;  // of other examples than pairs: all that count
};

// What an example is expected to be, if it is not that; else "".
std::string expected_example(const TokenTree& tree, bool pairs, const SampledGroup* group) {
    if (group != nullptr)
        return tree.branches.size() == group->rewards.size() && group->rewards.size() > 1 ? ""
                                                                                          : "two or more rewarded responses";
    if (pairs) return tree.branches.size() == 2 ? "" : "a chosen and a rejected response";
    return tree.branches.empty() ? "a sequence" : "";
}

StepTotals totals_of(const std::vector<const TokenTree*>& examples, const LossOptions& loss, const BatchRun& run) {
    StepTotals totals;
    const bool pairs = needs_pairs(loss.name);
    for (size_t i = 0; i < examples.size(); ++i) {
        const auto& tree = *examples[i];
        const std::string where = "example " + std::to_string(i) + " of a batch";
        const std::string expected = expected_example(tree, pairs, run.policy != nullptr ? run.groups.at(i) : nullptr);
        if (!expected.empty()) throw Error(where, expected, std::to_string(tree.branches.size()) + " branches");
        totals.responses += static_cast<double>(tree.branches.size());
        for (const auto& branch : tree.branches) {
            const int64_t counted = counted_tokens(branch);
            if (counted == 0) throw Error(where, "at least one token that counts", "none");
            if (!pairs || &branch == &tree.branches.front()) totals.chosen_tokens += static_cast<double>(counted);
        }
        totals.examples += 1;
    }
    return totals;
}

// [branches] int64: the numbers of a micro-batch's targets by branch.
at::Tensor branch_counts(const std::vector<TokenTree>& trees, const at::Device& device) {
    std::vector<int64_t> lengths;
    for (const auto& tree : trees)
        for (const auto& branch : tree.branches) lengths.push_back(counted_tokens(branch));
    return at::tensor(lengths, at::kLong).to(device);
}

// Values of a micro-batch's targets by branch: their float64 sums and their numbers, [branches].
struct BranchSums {
    at::Tensor sums, counts;
    BranchSums(const at::Tensor& values, const at::Tensor& numbers)
        // Targets stand in the order of their branches, so that the sums need no atomic additions.
        : sums(at::segment_reduce(values.to(at::kDouble), "sum", numbers, {}, {}, 0, /*unsafe=*/true)), counts(numbers) {}
    // Pair i's chosen and rejected response stand in row i.
    PairLogprobs pairs(const std::vector<ReferenceSums>& references) const {
        const at::Tensor by_pair = sums.view({-1, 2}), numbers = counts.to(at::kDouble).view({-1, 2});
        PairLogprobs logprobs{by_pair.select(1, 0), numbers.select(1, 0), by_pair.select(1, 1), numbers.select(1, 1)};
        if (references.empty()) return logprobs;
        std::vector<double> flat;
        for (const ReferenceSums& each : references) flat.insert(flat.end(), {each.chosen, each.rejected});
        const at::Tensor by_reference = at::tensor(flat, at::kDouble).view({-1, 2}).to(sums.device());
        logprobs.chosen_reference = by_reference.select(1, 0);
        logprobs.rejected_reference = by_reference.select(1, 1);
        return logprobs;
    }
    void append_to(std::vector<BranchLogprob>& branches) const {
        const at::Tensor values = sums.detach().to(at::kCPU), numbers = counts.to(at::kCPU);
        for (int64_t i = 0; i < values.size(0); ++i)
            branches.push_back({values[i].item<double>(), numbers[i].item<int64_t>()});
    }
};

// The sums of a step while its micro-batches go by.
struct StepSums {
    double preference = 0, nll_weighted = 0, entropy = 0, token_accuracy = 0;
    double reward = 0, reward_std = 0, clipped = 0, kl = 0;  // of groups
    PairMetrics pairs;
    RewardAgreement agreement;
    void add(const PairMetrics& metrics, double examples, double nll_divisor) {
        pairs.chosen_logp += metrics.chosen_logp / examples;
        pairs.rejected_logp += metrics.rejected_logp / examples;
        pairs.margin += metrics.margin / examples;
        pairs.accuracy += metrics.accuracy / examples;
        if (metrics.nll) pairs.nll = pairs.nll.value_or(0) + *metrics.nll / nll_divisor;
    }
    void add_agreement(const std::vector<TokenTree>& trees, const at::Tensor& margins) {
        if (std::none_of(trees.begin(), trees.end(), [](const TokenTree& tree) { return tree.reward_gap.has_value(); }))
            return;
        const at::Tensor values = margins.to(at::kCPU, at::kDouble).contiguous();
        for (size_t i = 0; i < trees.size(); ++i)
            if (trees[i].reward_gap) agreement.add(values.const_data_ptr<double>()[i], *trees[i].reward_gap);
    }
};

struct MicroBatch {
    bool is_last;  // of the share
    std::vector<TokenTree> trees = {};
    std::vector<ReferenceSums> references = {};    // of each, where the loss needs them
    std::vector<const SampledGroup*> groups = {};  // likewise, with a policy
};

// What a micro-batch's forward pass gives.
struct Computed {
    at::Tensor logprobs;  // [R] float32
    TargetStatistics statistics;
    at::Tensor counts;  // branch_counts()
};

// Adds the gradients of a part of the loss to these, leaf by leaf; what the leaves hold stays, and the graph does, too.
void add_gradients(const at::Tensor& part, const Decoder& decoder, std::vector<at::Tensor>& gradients) {
    std::vector<std::pair<std::string, at::Tensor>> leaves = decoder.trainable();
    std::vector<at::Tensor> held;
    for (auto& [name, leaf] : leaves) held.push_back(std::exchange(leaf.mutable_grad(), at::Tensor()));
    part.backward({}, /*retain_graph=*/true);
    const at::NoGradGuard no_grad;
    for (size_t i = 0; i < leaves.size(); ++i) {
        at::Tensor& gradient = leaves[i].second.mutable_grad();
        if (gradient.defined()) gradients[i].add_(gradient);
        gradient = held[i];
    }
}

void differentiate(const at::Tensor& loss, const MicroBatch& batch, const BatchRun& run) {
    if (run.before_last_backward && batch.is_last) run.before_last_backward();
    if (run.backward) loss.backward();
}

Computed compute(Decoder& decoder, const std::vector<TokenTree>& trees, const BatchRun& run) {
    Computed computed;
    computed.logprobs = target_logprobs(decoder, pack(trees, decoder.device()), &computed.statistics);
    computed.counts = branch_counts(trees, computed.logprobs.device());
    if (run.branches != nullptr) BranchSums(computed.logprobs, computed.counts).append_to(*run.branches);
    if (run.tokens != nullptr) {
        const at::Tensor values = computed.logprobs.detach().to(at::kCPU, at::kFloat);
        int64_t begin = 0;
        for (const TokenTree& tree : trees) {
            int64_t counted = 0;
            for (const MaskedTokens& branch : tree.branches) counted += counted_tokens(branch);
            run.tokens->push_back(values.narrow(0, begin, counted).clone());
            begin += counted;
        }
    }
    return computed;
}

// Differentiates the micro-batch's part of the step's loss, and adds it up.
void use_loss(const Decoder& decoder, const Computed& computed, const MicroBatch& batch, const LossOptions& loss,
              const StepTotals& totals, const BatchRun& run, StepSums& sums) {
    const at::Tensor &logprobs = computed.logprobs, &counts = computed.counts;
    const bool pairs = needs_pairs(loss.name);
    const LossTerms terms = pairs ? preference_loss(loss, BranchSums(logprobs, counts).pairs(batch.references))
                                  : sft_loss(logprobs.to(at::kDouble));
    const bool per_pair = takes_coefficient(loss, "nll_normalisation") && loss.nll_normalisation == NllNormalisation::sum;
    const double nll_divisor = per_pair ? totals.examples : totals.chosen_tokens;
    const at::Tensor preference = terms.preference_sum / totals.examples, nll = terms.nll_sum / nll_divisor;
    if (run.likelihood_gradients != nullptr && has_likelihood_part(loss))
        add_gradients(nll, decoder, *run.likelihood_gradients);
    differentiate(preference + nll, batch, run);
    sums.preference += preference.item<double>();
    sums.nll_weighted += nll.item<double>();
    sums.add(terms.metrics, totals.examples, nll_divisor);
    if (pairs) sums.add_agreement(batch.trees, terms.margins);
}

// What a token of a response of so many counts in the step's loss.
double token_weight(const PolicyOptions& policy, const StepTotals& totals, double response_tokens) {
    switch (policy.mean) {
        case TokenMean::dapo:
            return 1 / totals.chosen_tokens;
        case TokenMean::grpo:
            return 1 / (totals.responses * response_tokens);
        case TokenMean::dr_grpo:
            break;
    }
    return 1 / (totals.responses * static_cast<double>(policy.max_length));
}

// The groups' log-probabilities of one kind, [R] float64 on the device; undefined where they have none.
at::Tensor joined_logprobs(const std::vector<const SampledGroup*>& groups, at::Tensor SampledGroup::*kind,
                           const at::Device& device) {
    std::vector<at::Tensor> parts;
    for (const SampledGroup* group : groups)
        if ((group->*kind).defined()) parts.push_back(group->*kind);
    return parts.empty() ? at::Tensor() : at::cat(parts).to(device, at::kDouble);
}

// The same of groups' responses, with a policy's loss.
void use_policy_loss(const Computed& computed, const MicroBatch& batch, const StepTotals& totals, const BatchRun& run,
                     StepSums& sums) {
    const PolicyOptions& policy = *run.policy;
    const std::vector<TokenTree>& trees = batch.trees;
    const std::vector<const SampledGroup*>& groups = batch.groups;
    const at::Device device = computed.logprobs.device();
    std::vector<double> advantages, weights;  // by branch
    for (size_t i = 0; i < trees.size(); ++i) {
        const std::vector<double>& rewards = groups[i]->rewards;
        for (const double advantage : advantages_of(rewards, policy.advantage)) advantages.push_back(advantage);
        for (const MaskedTokens& branch : trees[i].branches)
            weights.push_back(token_weight(policy, totals, static_cast<double>(counted_tokens(branch))));
        for (const double reward : rewards) sums.reward += reward / totals.responses;
        sums.reward_std += reward_deviation(rewards) / totals.examples;
    }
    const auto by_token = [&](const std::vector<double>& values) {
        return at::repeat_interleave(at::tensor(values, at::kDouble).to(device), computed.counts);
    };
    const PolicyTerms terms =
        policy_loss(policy, {.logprobs = computed.logprobs.to(at::kDouble),
                             .old_logprobs = joined_logprobs(groups, &SampledGroup::old_logprobs, device),
                             .reference_logprobs = joined_logprobs(groups, &SampledGroup::reference_logprobs, device),
                             .advantages = by_token(advantages),
                             .weights = by_token(weights)});
    differentiate(terms.loss, batch, run);
    sums.preference += terms.loss.item<double>();
    sums.clipped += terms.clipped / totals.chosen_tokens;
    sums.kl += terms.kl / totals.chosen_tokens;
}

// What the planner would say where a chosen response stands, or any that is no side of a pair.
void add_statistics(const Computed& computed, bool pairs, const StepTotals& totals, StepSums& sums) {
    // Each by itself: of rows of two values a GPU adds up a branch in a single thread.
    const at::Tensor both = at::stack({BranchSums(computed.statistics.entropy, computed.counts).sums,
                                       BranchSums(computed.statistics.top1, computed.counts).sums},
                                      1);
    const at::Tensor of_chosen = pairs ? both.view({-1, 2, 2}).select(1, 0) : both;
    const at::Tensor chosen = of_chosen.sum(0).div_(totals.chosen_tokens).to(at::kCPU);
    sums.entropy += chosen[0].item<double>();
    sums.token_accuracy += chosen[1].item<double>();
}

BatchFigures figures_of(const StepSums& sums, const LossOptions& loss, const PolicyOptions* policy, int64_t tokens) {
    BatchFigures figures;
    figures.loss = sums.preference + sums.nll_weighted;
    figures.tokens = tokens;
    if (tokens > 0) {
        figures.entropy = sums.entropy;
        figures.token_accuracy = sums.token_accuracy;
    }
    if (policy != nullptr) {
        if (tokens == 0) return figures;
        figures.reward = sums.reward;
        figures.reward_std = sums.reward_std;
        figures.clipped = sums.clipped;
        if (policy->beta > 0) figures.kl = sums.kl;
        return figures;
    }
    if (!needs_pairs(loss.name)) {
        figures.sft_loss = sums.nll_weighted;
        return figures;
    }
    if (tokens == 0) return figures;
    figures.preference_loss = sums.preference;
    figures.sft_loss = sums.pairs.nll;
    figures.chosen_logp = sums.pairs.chosen_logp;
    figures.rejected_logp = sums.pairs.rejected_logp;
    figures.margin = sums.pairs.margin;
    figures.accuracy = sums.pairs.accuracy;
    figures.agreement = sums.agreement;
    return figures;
}

// Dropout is off outside a training step, whatever ends it.
struct DropoutOff {
    Decoder& decoder;
    ~DropoutOff() { decoder.set_dropout({}); }
};

// While this lives, LibTorch's operations on a GPU add numbers in the same order each time, so that a run that resumes from
// a checkpoint ends with the same bytes: attention's backward, and rows that are added to shared ones, would take atomic
// additions otherwise. Nothing that is computed here lacks such a way; what did would throw.
class SameSumsOnGpu {
public:
    explicit SameSumsOnGpu(const at::Device& device)
        : on_(device.is_cuda()),
          algorithms_(at::globalContext().deterministicAlgorithms()),
          warns_(at::globalContext().deterministicAlgorithmsWarnOnly()),
          fills_(at::globalContext().deterministicFillUninitializedMemory()) {
        if (!on_) return;
        at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);  // attention heeds no mere warning
        at::globalContext().setDeterministicFillUninitializedMemory(false);         // nothing is read before it is written
    }
    ~SameSumsOnGpu() {
        if (!on_) return;
        at::globalContext().setDeterministicAlgorithms(algorithms_, warns_);
        at::globalContext().setDeterministicFillUninitializedMemory(fills_);
    }
    SameSumsOnGpu(const SameSumsOnGpu&) = delete;
    SameSumsOnGpu& operator=(const SameSumsOnGpu&) = delete;

private:
    bool on_, algorithms_, warns_, fills_;
};

}  // namespace

int64_t micro_batch_budget(int64_t asked, const at::Device& device, const std::vector<int64_t>& sizes) {
    const int64_t budget = asked > 0 ? asked : device.is_cpu() ? 3072 : 8192;
    return sizes.empty() ? budget : std::max(budget, *std::max_element(sizes.begin(), sizes.end()));
}

BatchFigures run_batch(Decoder& decoder, const std::vector<const TokenTree*>& examples, const LossOptions& loss,
                       const BatchRun& run) {
    const StepTotals totals = totals_of(examples, loss, run);
    if (run.references.size() != (needs_reference(loss.name) ? examples.size() : 0))
        throw std::invalid_argument("a batch: references for all examples of " + loss_name(loss.name) + ", or for none");
    std::vector<size_t> places(examples.size());
    std::iota(places.begin(), places.end(), size_t{0});
    if (run.share) places = *run.share;
    std::vector<int64_t> sizes;
    for (const size_t place : places) sizes.push_back(examples[place]->size());
    const int64_t budget = micro_batch_budget(run.micro_batch_tokens, decoder.device(), sizes);
    const c10::AutoGradMode gradients(run.backward);
    const DropoutOff dropout_off{decoder};
    const SameSumsOnGpu same_sums(decoder.device());
    if (run.likelihood_gradients != nullptr) {
        run.likelihood_gradients->clear();
        for (const auto& [name, leaf] : decoder.trainable())
            if (has_likelihood_part(loss))
                run.likelihood_gradients->push_back(
                    at::zeros_like(leaf.detach(), leaf.scalar_type() == at::kDouble ? at::kDouble : at::kFloat));
    }
    StepSums sums;
    int64_t tokens = 0;
    for (const auto& [begin, end] : cut_by_tokens(sizes, budget)) {
        MicroBatch batch{.is_last = end == sizes.size()};
        std::vector<DropoutRows> dropout;
        for (size_t i = begin; i < end; ++i) {
            batch.trees.push_back(*examples[places[i]]);
            if (!run.references.empty()) batch.references.push_back(run.references[places[i]]);
            if (run.policy != nullptr) batch.groups.push_back(run.groups[places[i]]);
            if (run.dropout_seed) dropout.push_back({sizes[i], Rng(*run.dropout_seed, "dropout", places[i]).next()});
        }
        for (const auto& tree : batch.trees) tokens += tree.size();
        if (run.backward) decoder.set_dropout(dropout);
        const Computed computed = compute(decoder, batch.trees, run);
        if (run.policy != nullptr)
            use_policy_loss(computed, batch, totals, run, sums);
        else
            use_loss(decoder, computed, batch, loss, totals, run, sums);
        add_statistics(computed, needs_pairs(loss.name), totals, sums);
        if (run.after_micro_batch) run.after_micro_batch();
    }
    BatchFigures figures = figures_of(sums, loss, run.policy, tokens);
    for (const TokenTree* tree : examples)
        for (const MaskedTokens& branch : tree->branches)
            figures.sequence_tokens += static_cast<int64_t>(tree->prefix.size() + branch.tokens.size());
    return figures;
}

}  // namespace craft
