#include "train/token_logprobs.h"

#include <torch/types.h>

#include <algorithm>
#include <utility>

#include "core/progress.h"
#include "core/signals.h"
#include "train/batch_loss.h"
#include "train/batches.h"
#include "train/shares.h"

namespace craft {

namespace {

// Each example's in its place, all of them in one row, in all ranks: zeros of the others' examples change no sum.
std::vector<at::Tensor> shared_out(const std::vector<const TokenTree*>& examples, const std::vector<size_t>& share,
                                   const std::vector<at::Tensor>& computed, const at::Device& device, ProcessGroup& group) {
    std::vector<int64_t> counts;
    int64_t total = 0;
    for (const TokenTree* tree : examples) {
        int64_t& count = counts.emplace_back(0);
        for (const MaskedTokens& branch : tree->branches)
            count += std::count_if(branch.counted.begin(), branch.counted.end(), [](uint8_t flag) { return flag != 0; });
        total += count;
    }
    const at::Tensor row = at::zeros({total}, at::kFloat);
    std::vector<at::Tensor> parts = row.split_with_sizes(counts);
    for (size_t i = 0; i < share.size(); ++i) parts[share[i]].copy_(computed[i]);
    const at::Tensor sums = row.to(device);
    group.sum(sums);
    return sums.to(at::kCPU).split_with_sizes(counts);
}

}  // namespace

LogprobsFirst logprobs_first(const TrainOptions& options, size_t examples) {
    const bool has_reference = options.policy ? options.policy->beta > 0 : needs_reference(options.loss.name);
    const bool is_base = options.loss.reference == Reference::base;
    return {.old = options.policy && options.epochs * steps_per_epoch(examples, options.batch_size) > 1,
            .start_reference = has_reference && !is_base,
            .base_reference = has_reference && is_base};
}

std::vector<at::Tensor> token_logprobs(Decoder& decoder, const std::vector<TokenTree>& examples, int64_t micro_batch_tokens,
                                       ProcessGroup& group) {
    std::vector<const TokenTree*> pointers;
    std::vector<int64_t> sizes;
    for (const TokenTree& tree : examples) {
        pointers.push_back(&tree);
        sizes.push_back(tree.size());
    }
    const std::vector<size_t> share = split_by_tokens(sizes, group.size())[static_cast<size_t>(group.rank())];
    std::vector<at::Tensor> computed;
    Progress progress("log-probabilities", static_cast<int64_t>(share.size()), "examples");
    size_t told = 0;
    const auto tell = [&] {
        progress.advance(static_cast<int64_t>(computed.size() - std::exchange(told, computed.size())));
        throw_if_stopped();
    };
    run_batch(decoder, pointers, default_loss_options(LossName::sft),
              {.backward = false,
               .micro_batch_tokens = micro_batch_tokens,
               .after_micro_batch = tell,
               .share = share,
               .tokens = &computed});
    progress.finish();
    return group.size() == 1 ? computed : shared_out(pointers, share, computed, decoder.device(), group);
}

}  // namespace craft
