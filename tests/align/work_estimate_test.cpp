// What rounds and experiments would ask and train, by hand.
#include "align/work_estimate.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/random_model.h"
#include "tests/source.h"
#include "train/operations.h"

namespace craft {
namespace {

const SystemSpec kHosted{SystemSpec::Kind::hosted, {}, {}, "own"};

Json prices() {
    return {{"own", {{"base_url", "http://127.0.0.1:9/v1"}, {"model", "m"}, {"prices", {{"input", 1}, {"output", 2}}}}}};
}

// Of a text of 100 tokens: 900 of rules, 60 of instruction and the text; 100 and 1.8 times the text; 150 and the text.
TEST(WorkEstimate, LengthsFollowFromTheText) {
    const PlannerLengths lengths(100);
    EXPECT_EQ(lengths.prompt, 1060);
    EXPECT_EQ(lengths.response, 280);
    EXPECT_EQ(lengths.observation, 250);
}

// 8 instructions from 5 texts: a free revision of each text, a rewriting of each instruction. 5 (100 + 100) + 8 (100 + 60) =
// 1000 + 1280 tokens are read, 5 * 100 + 8 * 60 = 500 + 480 written: 2280 + 2 * 980 millionths of a USD.
TEST(WorkEstimate, OfInstructions) {
    InstructionRunOptions options;
    options.generator.count = 8;
    options.reviser = options.rewriter = kHosted;
    const Json told = to_json(instructions_work(options, {5, 100}), prices(), {.operations = 1, .new_tokens = 98}, {});
    EXPECT_EQ(told["roles"]["reviser"]["requests"], 5);
    EXPECT_EQ(told["roles"]["reviser"]["prompt_tokens"], 1000);
    EXPECT_EQ(told["roles"]["reviser"]["new_tokens"], 500);
    EXPECT_EQ(told["roles"]["rewriter"]["prompt_tokens"], 1280);
    EXPECT_EQ(told["roles"]["rewriter"]["new_tokens"], 480);
    EXPECT_NEAR(told["usd"].get<double>(), 4240e-6, 1e-12);
    EXPECT_NEAR(told["hours"].get<double>(), 10.0 / 3600, 1e-12) << "980 tokens at 98 a second";
    options.generator.every_text = true;
    options.generator.domains = {1, 2, 3};
    EXPECT_EQ(instructions_made(options, {5, 100}), 15);
    Json unpriced = prices();
    unpriced["own"].erase("prices");
    const Json unknown = to_json(instructions_work(options, {5, 100}), unpriced, {}, {});
    EXPECT_TRUE(unknown["usd"].is_null());
    EXPECT_TRUE(unknown["hours"].is_null()) << "no rate is stated";
}

// Three steps: requests after 0, 1 and 2 steps of 280 + 250 tokens; the first two revisions are looked through twice.
TEST(WorkEstimate, OfTrajectories) {
    TrajectoryRunOptions options;
    options.spec = options.reviser = options.feedback = kHosted;
    options.session.max_steps = 3;
    options.suggestions.aspects = {"fluency", "coherence"};
    const WorkEstimate work = trajectories_work(options, {10, 100});
    ASSERT_EQ(work.asked.size(), 3u);
    EXPECT_EQ(work.asked[0].requests, 30);
    EXPECT_EQ(work.asked[0].prompt_tokens, 10 * (1060 + 1590 + 2120));
    EXPECT_EQ(work.asked[0].new_tokens, 30 * 280);
    EXPECT_EQ(work.asked[1].prompt_tokens, 30 * (100 + 280));
    EXPECT_EQ(work.asked[2].requests, 40);
    EXPECT_EQ(work.asked[2].new_tokens, 40 * 30);
    options.spec = {};
    options.suggestions.aspects.clear();
    EXPECT_EQ(trajectories_work(options, {10, 100}).asked.size(), 1u) << "the rules are not asked";
    const TrainedWork training = sequence_training({10, 100, 3});
    EXPECT_EQ(training.example.size(), 1060 + 3 * 530);
    EXPECT_EQ(training.tokens(), 10 * 2650);
}

// Two rounds of 10 instructions, histories of up to 3 steps: of the drawn steps 1, 2 and 3 histories have 0, 1 and 2 steps,
// so that 20 instructions ask 20 times, at 0 steps 2/3 * 20 = 13.3 times and at 1 step 6.7 times: a third of a step's 530
// tokens is read each. Then 4 samples each after 1 step on average; 5 evaluated before and after each round.
TEST(WorkEstimate, OfRounds) {
    AlignOptions align;
    align.rounds = 2;
    align.generator.count = 10;
    align.samples = 4;
    align.history_steps = 3;
    align.test = 0;
    align.train.epochs = 2;
    RoundRoleOptions roles;
    roles.reviser = kHosted;
    roles.rewriter = kHosted;
    roles.values_by_reviser = true;
    const WorkEstimate work = rounds_work({align, roles, kHosted, Quantization::none, 3, 2, 100});
    ASSERT_EQ(work.asked.size(), 3u);
    const AskedWork& planner = work.asked[0];
    EXPECT_EQ(planner.requests, 20 + 80 + 15);
    EXPECT_NEAR(planner.prompt_tokens, 20 * (1060 + 530 / 3.0) + 80 * (1060 + 530) + 15 * 1060, 1e-6);
    EXPECT_EQ(planner.prompts, 20 + 20 + 15) << "samples of a history share its prompt";
    EXPECT_EQ(work.asked[1].requests, 20 + 80 + 20) << "histories, samples, and a free revision for each instruction";
    EXPECT_EQ(work.asked[2].requests, 20 + 5);
    ASSERT_EQ(work.trained.size(), 1u);
    EXPECT_EQ(work.trained[0].examples, 12) << "of 20 instructions .6 give a pair";
    EXPECT_EQ(work.trained[0].example.size(), 1060 + 530 + 2 * 280);
    EXPECT_EQ(work.trained[0].tokens(), 12 * 2150 * 2);
    EXPECT_EQ(work.trained[0].steps(), 2 * 2) << "a step a pass in either round";
    EXPECT_EQ(work.trained[0].logprob_tokens(), 0) << "the loss has no reference";
}

// 900 of a guideline, the source and 4 revisions; where the guideline shows them, 60 of instruction and 4 responses besides.
TEST(WorkEstimate, OfAJudge) {
    AlignOptions align;
    align.samples = 4;
    RoundRoleOptions roles;
    roles.judge.judge = "openai:own";
    roles.judge.spec.system = kHosted;
    const auto tokens_by = [&](const char* guideline) {
        roles.judge.guideline = test_source(std::string("/share/guidelines/") + guideline);
        const AskedWork judge = rounds_work({align, roles, kHosted, Quantization::none, 3, 2, 100}).asked.at(1);
        EXPECT_EQ(judge.role, "judge");
        return judge.prompt_tokens / judge.requests;
    };
    EXPECT_NEAR(tokens_by("brief.txt"), 900 + 5 * 100, 1e-9);
    EXPECT_NEAR(tokens_by("planner.txt"), 900 + 5 * 100 + 60 + 4 * 280, 1e-9);
}

AlignOptions two_rounds() {
    AlignOptions align;
    align.rounds = 2;
    align.generator.count = 10;
    align.samples = 4;
    align.history_steps = 1;
    align.test = 0;
    return align;
}

TrainedWork rounds_of(const AlignOptions& align) {
    return rounds_work({align, {}, kHosted, Quantization::none, 3, 2, 100}).trained.at(0);
}

// 12 groups of four responses of 280 tokens behind a prompt of 1060. The first ratios need log-probabilities where there is
// a second update; a reference that is the start has the same ones.
TEST(WorkEstimate, OfGroups) {
    AlignOptions align = two_rounds();
    align.method = Advantage::grpo;
    const double groups = 12 * (1060 + 4 * 280);
    EXPECT_EQ(rounds_of(align).tokens(), groups);
    EXPECT_EQ(rounds_of(align).logprob_tokens(), 0) << "one update a round";
    align.train.epochs = 3;
    EXPECT_EQ(rounds_of(align).tokens(), 3 * groups);
    EXPECT_EQ(rounds_of(align).logprob_tokens(), groups);
    align.policy.beta = 0.1;
    EXPECT_EQ(rounds_of(align).logprob_tokens(), groups);
    align.train.loss.reference = Reference::base;
    EXPECT_EQ(rounds_of(align).logprob_tokens(), 2 * groups);
    align.train.epochs = 1;
    EXPECT_EQ(rounds_of(align).logprob_tokens(), groups) << "the reference alone";
    align.train.batch_size = 5;
    EXPECT_EQ(rounds_of(align).steps(), 2 * 2) << "of six groups a round";
    EXPECT_EQ(rounds_of(align).logprob_tokens(), 2 * groups);
}

// 12 pairs of two responses, once through the reference.
TEST(WorkEstimate, OfPairsWithAReference) {
    AlignOptions align = two_rounds();
    align.train.loss = default_loss_options(LossName::dpo);
    align.train.epochs = 2;
    const TrainedWork dpo = rounds_of(align);
    EXPECT_EQ(dpo.logprob_tokens(), 12 * (1060 + 2 * 280));
    EXPECT_EQ(dpo.tokens(), 2 * dpo.logprob_tokens());
    align.train.loss.reference = Reference::base;
    EXPECT_EQ(rounds_of(align).logprob_tokens(), dpo.logprob_tokens());

    TrainedWork local = dpo;
    local.model = test::tiny_model();
    const DecoderConfig config = read_decoder_config(local.model);
    const double trained = 24 * training_operations(config, dpo.example, false, 0);
    EXPECT_DOUBLE_EQ(local.operations(), trained + 12 * forward_operations(config, dpo.example));
    local.train.lora.upper = 0.5;
    EXPECT_DOUBLE_EQ(local.trained_operations(), 24 * training_operations(config, dpo.example, false, config.layers / 2))
        << "nothing is computed backward below the first adapter";
}

// SFT on one response of each, as many tokens as the rounds: 12 * 2180 = 26160 of them are 19.5 sequences of 1340. It is
// evaluated on the dev set and on the sealed one.
TEST(WorkEstimate, OfAControl) {
    AlignOptions align = two_rounds();
    align.method = Advantage::rloo;
    align.policy.beta = 0.1;
    align.train.epochs = 2;
    const double without = rounds_work({align, {}, kHosted, Quantization::none, 3, 2, 100}).asked.at(0).requests;
    align.control = true;
    align.test = 7;
    const WorkEstimate work = rounds_work({align, {}, kHosted, Quantization::none, 3, 2, 100});
    EXPECT_EQ(work.asked.at(0).requests, without + 3 + 3 * 7);
    ASSERT_EQ(work.trained.size(), 2u);
    const TrainedWork& control = work.trained[1];
    EXPECT_EQ(control.name, "control");
    EXPECT_EQ(control.train.loss.name, LossName::sft);
    EXPECT_FALSE(control.train.policy);
    EXPECT_EQ(control.example.size(), 1060 + 280);
    EXPECT_NEAR(control.examples, 26160 / 1340.0, 1e-9);
    EXPECT_NEAR(control.tokens(), 2 * 26160, 1e-6);
    EXPECT_EQ(control.logprob_tokens(), 0);
}

// A search of at most 4 iterations with 3 children: 12 responses and revisions of each of 2 texts.
TEST(WorkEstimate, OfRevisions) {
    RevisionRunOptions options;
    options.planner_spec = options.reviser_spec = kHosted;
    options.method.method = Method::search;
    options.method.search.iterations = 4;
    const WorkEstimate search = revisions_work(options, {2, 100});
    ASSERT_EQ(search.asked.size(), 2u);
    EXPECT_EQ(search.asked[0].requests, 24);
    EXPECT_EQ(search.asked[0].prompts, 8);
    EXPECT_EQ(search.asked[1].prompt_tokens, 24 * (100 + 280));
    options.method.method = Method::direct;
    const WorkEstimate direct = revisions_work(options, {2, 100});
    ASSERT_EQ(direct.asked.size(), 1u);
    EXPECT_EQ(direct.asked[0].prompt_tokens, 2 * (100 + 60 + 100));
}

TEST(WorkEstimate, MeasuresWhatIsThere) {
    const TemporaryFolder folder;
    const std::string file = folder.file("t.jsonl", "{\"text\":\"" + std::string(90, 'a') + "\"}\n{\"text\":\"\"}\n");
    const DataSize size = measured_size(file);
    EXPECT_EQ(size.rows, 2);
    EXPECT_EQ(size.text, 10) << "90 bytes at 4.5 a token, over two rows";
    const DataSize lines = measured_size(folder.file("t.src", std::string(9, 'a') + "\n" + std::string(18, 'a') + "\n"));
    EXPECT_EQ(lines.rows, 2);
    EXPECT_EQ(lines.text, 3);
}

// Rates say how long; without one a training's steps are measured.
TEST(WorkEstimate, OfATraining) {
    TrainedWork training = sequence_training({4, 20});
    training.model = test::tiny_model();
    training.train.loss = default_loss_options(LossName::sft);
    training.train.batch_size = 2;
    training.train.epochs = 3;
    EXPECT_EQ(training.example.size(), 20);
    WorkEstimate work;
    work.trained = {training};
    const Json stated = to_json(work, {}, {.operations = training.operations() / 7200}, Placement());
    EXPECT_NEAR(stated["hours"].get<double>(), 2, 1e-9);
    EXPECT_EQ(stated["trainings"]["sft"]["steps"], 6);
    EXPECT_EQ(stated["trainings"]["sft"]["tokens"], 240);
    EXPECT_GT(stated["trainings"]["sft"]["weight_bytes"], 1000);
    EXPECT_FALSE(stated["trainings"]["sft"].contains("seconds_per_step"));
    EXPECT_FALSE(stated["trainings"]["sft"].contains("logprob_tokens"));
    const Json measured = to_json(work, {}, {}, Placement());
    EXPECT_GT(measured["trainings"]["sft"]["peak_memory_bytes"], 1000);
    EXPECT_NEAR(measured["hours"].get<double>() * 3600, 6 * measured["trainings"]["sft"]["seconds_per_step"].get<double>(),
                1e-9);
}

// A pass through a reference takes the time that its operations take in training.
TEST(WorkEstimate, OfTheTimeBeforeATraining) {
    TrainedWork training = pair_training({4, 60});
    training.model = test::tiny_model();
    training.train.loss = default_loss_options(LossName::dpo);
    training.train.batch_size = 2;
    WorkEstimate work;
    work.trained = {training};
    const Json measured = to_json(work, {}, {}, Placement()), row = measured["trainings"]["pairs"];
    const DecoderConfig config = read_decoder_config(training.model);
    const double share =
        forward_operations(config, training.example) / training_operations(config, training.example, false, 0);
    EXPECT_EQ(row["logprob_tokens"], 4 * 60);
    EXPECT_EQ(row["steps"], 2);
    EXPECT_NEAR(measured["hours"].get<double>() * 3600, 2 * (1 + share) * row["seconds_per_step"].get<double>(), 1e-9);
    EXPECT_DOUBLE_EQ(row["operations"].get<double>(), training.trained_operations() * (1 + share));
}

}  // namespace
}  // namespace craft
