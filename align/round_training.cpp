#include "align/round_training.h"

#include <algorithm>
#include <functional>

#include "align/stage_rows.h"
#include "train/token_logprobs.h"
#include "train/trainer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::vector<Message> messages_of(const std::string& response) {
    return {{Role::assistant, response}};
}

// Of pairs, a loss that compares nothing sees the chosen responses, and of groups the best ones.
Examples examples_of(const Planner& planner, const RoundData& data, const AlignOptions& options, const LossOptions& loss) {
    ExampleBuilder builder = example_builder(planner, options.examples);
    for (size_t i = 0; i < data.pairs.size(); ++i) {
        const Pair& pair = data.pairs[i];
        const std::string where = "pair " + std::to_string(i);
        if (needs_pairs(loss.name))
            builder.add_pair(pair, where);
        else
            builder.add_completion(pair.prompt, pair.chosen, where);
    }
    for (size_t i = 0; i < data.groups.size(); ++i)
        builder.add_completion(data.groups[i].prompt, messages_of(data.groups[i].best()), "group " + std::to_string(i));
    return builder.take();
}

// Groups as examples, each with what is known of it.
struct GroupExamples {
    Examples examples;
    std::vector<SampledGroup> groups;
};

GroupExamples group_examples_of(const Planner& planner, const std::vector<ResponseGroup>& groups,
                                const AlignOptions& options) {
    ExampleBuilder builder = example_builder(planner, options.examples);
    GroupExamples made;
    for (size_t i = 0; i < groups.size(); ++i) {
        std::vector<PromptText> responses;
        for (const std::string& response : groups[i].responses) responses.emplace_back(messages_of(response));
        if (builder.add_group(groups[i].prompt, responses, "group " + std::to_string(i)))
            made.groups.push_back({.rewards = groups[i].rewards, .old_logprobs = {}, .reference_logprobs = {}});
    }
    made.examples = builder.take();
    return made;
}

// What the policy's loss compares with, before the first update: the planner that is to be trained is the one that sampled
// the groups.
void add_logprobs(Planner& planner, GroupExamples& made, const TrainOptions& training, ProcessGroup& group) {
    const std::vector<TokenTree>& trees = made.examples.trees;
    const auto logprobs_by = [&](Decoder& decoder) {
        return token_logprobs(decoder, trees, training.micro_batch_tokens, group);
    };
    const LogprobsFirst needed = logprobs_first(training, trees.size());
    std::vector<at::Tensor> start, base;
    if (needed.old || needed.start_reference) start = logprobs_by(planner.decoder);
    if (needed.base_reference) base = logprobs_by(planner.base);
    for (size_t i = 0; i < trees.size(); ++i) {
        if (needed.old) made.groups[i].old_logprobs = start[i];
        if (needed.start_reference) made.groups[i].reference_logprobs = start[i];
        if (needed.base_reference) made.groups[i].reference_logprobs = base[i];
    }
}

// `prepared`: what the training needs beside the examples, once the planner is made trainable.
TrainedStage run_stage(Planner& planner, const Examples& examples, TrainOptions options, uint64_t seed,
                       const fs::path& folder, ProcessGroup& group,
                       const std::function<std::vector<SampledGroup>()>& prepared = nullptr) {
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
    const std::vector<SampledGroup> groups = prepared ? prepared() : std::vector<SampledGroup>();
    const TrainResult result = train(planner.decoder, examples.trees, options, folder, {}, {}, group, groups);
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

}  // namespace

ExampleBuilder example_builder(const Planner& planner, const ExampleOptions& limits) {
    return {planner.tokenizer, planner.chat, example_limits(limits, planner.base.config())};
}

TrainOptions round_train_options(const AlignOptions& options) {
    TrainOptions training = options.train;
    if (!options.method) return training;
    training.loss = default_loss_options(LossName::sft);
    training.loss.reference = options.train.loss.reference;
    training.policy = options.policy;
    training.policy->advantage = *options.method;
    training.policy->max_length = options.sampling.limit();
    return training;
}

TrainOptions control_train_options(const AlignOptions& options) {
    TrainOptions training = options.train;
    training.loss = default_loss_options(LossName::sft);
    training.part_norms_every = 0;  // it has one part
    return training;
}

TrainedStage train_round(Planner& planner, const RoundData& data, const AlignOptions& options, int64_t round,
                         const fs::path& folder, ProcessGroup& group) {
    const uint64_t seed = Rng(options.seed, round_name(round) + ".train").next();
    const TrainOptions training = round_train_options(options);
    if (!options.method)
        return run_stage(planner, examples_of(planner, data, options, training.loss), training, seed, folder, group);
    GroupExamples made = group_examples_of(planner, data.groups, options);
    return run_stage(planner, made.examples, training, seed, folder, group, [&] {
        add_logprobs(planner, made, training, group);
        return std::move(made.groups);
    });
}

TrainedStage train_control(Planner& planner, const RoundData& data, const AlignOptions& options, int64_t round,
                           int64_t tokens, const fs::path& folder, ProcessGroup& group) {
    const TrainOptions train_options = control_train_options(options);
    Examples examples = examples_of(planner, data, options, train_options.loss);
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
