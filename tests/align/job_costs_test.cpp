// What the main job tells of its rounds' trainings, by hand from what it measures of SFT.
#include "align/job_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/align/tiny_planner.h"
#include "tests/core/temporary_folder.h"
#include "train/operations.h"

namespace craft {
namespace {

// Prompts of 30 tokens with a response of 10.
std::vector<TokenTree> sft_examples(size_t count) {
    const MaskedTokens response{std::vector<int64_t>(10, 5), std::vector<uint8_t>(10, 1)};
    return std::vector<TokenTree>(count, {std::vector<int64_t>(30, 4), {response}});
}

class JobCostsOfRounds : public testing::Test {
protected:
    JobCostsOfRounds() {
        test::make_tiny_planner(folder_.path() / "model");
        planner_ = Planner::open(folder_.path() / "model", at::kFloat, at::kCPU);
        environment_.emplace(test::environment_of(*planner_));
        dev_ = test::some_instructions(*environment_, "dev", 3);
        job_.sft = job_.align.train = test::tiny_options().train;
        job_.sft.loss = default_loss_options(LossName::sft);
        job_.sft.lora.upper = 0.5;
        job_.align = test::tiny_options();
        job_.align.control = true;
        const Conversation asked(Trajectory{dev_.front(), environment_->prompt().render(dev_.front()), {}}.messages());
        prompt_ = static_cast<double>(
            planner_->chat->encode(*planner_->tokenizer, asked, {.generation_prompt = true}).tokens.size());
    }
    // Seconds of these parts, in those that SFT takes for a token.
    struct Told {
        double train = 0, control = 0;
    };
    Told told() {
        const std::vector<TokenTree> sft = sft_examples(5);
        const JobCosts costs =
            job_costs(job_, *planner_, *environment_, {sft, {dev_.front()}, dev_, dev_}, folder_.path() / "none");
        std::map<std::string, double> seconds;
        for (const JobProgress::Part& part : costs.parts) seconds[part.name] = part.seconds;
        const double token = seconds.at("sft") / (5 * 40.0);
        EXPECT_EQ(seconds.at("align/round-1/train"), seconds.at("align/round-2/train"));
        EXPECT_GT(costs.peak_memory, 0);
        return {seconds.at("align/round-1/train") / token, seconds.at("align/control/round-2") / token};
    }
    // Of a forward pass through responses to a prompt, to a step of training on them in the upper half of the layers.
    double forward_share(int64_t responses) const {
        const DecoderConfig config = planner_->base.config();
        TokenTree tree{std::vector<int64_t>(static_cast<size_t>(prompt_), 0), {}};
        for (int64_t i = 1; i <= responses; ++i) {
            MaskedTokens branch{std::vector<int64_t>(10, 0), std::vector<uint8_t>(10, 1)};
            branch.tokens.front() = i;
            tree.branches.push_back(branch);
        }
        return forward_operations(config, tree) / training_operations(config, tree, false, config.layers / 2);
    }
    TemporaryFolder folder_;
    std::optional<Planner> planner_;
    std::optional<RevisionEnvironment> environment_;
    std::vector<Instruction> dev_;
    MainJobOptions job_;
    double prompt_ = 0;
};

// Of 12 instructions 7.2 give a pair of two responses.
TEST_F(JobCostsOfRounds, PairsAreTrainedOnAndComparedWithAReference) {
    const double tokens = 7.2 * (prompt_ + 2 * 10);
    const Told craft = told();
    EXPECT_NEAR(craft.train, tokens, 1e-6 * tokens);
    EXPECT_NEAR(craft.control, tokens, 1e-6 * tokens);
    job_.align.train.loss = default_loss_options(LossName::dpo);
    const Told dpo = told();
    EXPECT_NEAR(dpo.train, tokens * (1 + forward_share(2)), 1e-6 * tokens);
    EXPECT_NEAR(dpo.control, tokens, 1e-6 * tokens) << "it has no reference";
}

// Or a group of all six, which are gone through once for their ratios and once for another reference.
TEST_F(JobCostsOfRounds, GroupsAreTrainedOnInPasses) {
    job_.align.method = Advantage::grpo;
    job_.align.train.epochs = 3;
    const double tokens = 7.2 * (prompt_ + 6 * 10);
    const Told alone = told();
    EXPECT_NEAR(alone.train, tokens * (3 + forward_share(6)), 1e-6 * tokens);
    EXPECT_NEAR(alone.control, 3 * tokens, 1e-6 * tokens);
    job_.align.policy.beta = 0.1;
    job_.align.train.loss.reference = Reference::base;
    EXPECT_NEAR(told().train, tokens * (3 + 2 * forward_share(6)), 1e-6 * tokens);
}

}  // namespace
}  // namespace craft
