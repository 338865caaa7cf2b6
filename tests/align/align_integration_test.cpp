// Rounds of self-training on a planner that babbles: what they leave behind, and where they stop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "align/align.h"
#include "core/error.h"
#include "core/files.h"
#include "tests/align/align_fixture.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Align;
using test::timeless;
using testing::ElementsAre;
using testing::HasSubstr;

int64_t total(const std::map<std::string, int64_t>& counts) {
    return std::accumulate(counts.begin(), counts.end(), int64_t{0},
                           [](int64_t sum, const auto& c) { return sum + c.second; });
}

TEST_F(Align, LeavesEveryRoundsWorkAndTheBestAdapter) {
    AlignOptions options = test::tiny_options();
    options.control = true;
    options.train.part_norms_every = 1;  // of the rounds alone: a control's loss has one part
    const Run done = run(options, folder_.path());
    EXPECT_THAT(names(done.summary), ElementsAre("base", "round-1", "round-2", "control"));
    for (const SummaryStage& stage : done.summary.stages) {
        EXPECT_EQ(stage.dev.overall.items, 4);
        EXPECT_GT(stage.dev.tokens, 0) << stage.name;
    }
    for (size_t round : {1u, 2u}) {
        const SummaryStage& row = done.summary.stages[round];
        EXPECT_GE(row.pairs, 2) << row.name;
        EXPECT_EQ(row.pairs + total(row.dropped), options.generator.count) << "each instruction is a pair or counted";
        const fs::path folder = folder_.path() / row.name;
        for (const char* file :
             {"instructions/instructions.jsonl", "histories/histories.jsonl", "pairs/responses.jsonl", "pairs/pairs.jsonl",
              "train/adapter/adapter_model.safetensors", "dev/items.jsonl", "selection/items.jsonl"})
            EXPECT_TRUE(fs::exists(folder / file)) << folder / file;
    }
    // What the scorer said is recorded, on its own scale.
    for (const Json& scored : {first_row(folder_.path() / "round-1/pairs/responses.jsonl").at("responses")[0],
                               first_row(folder_.path() / "round-1/pairs/pairs.jsonl").at("provenance").at("chosen_scores"),
                               first_row(folder_.path() / "round-1/dev/items.jsonl")})
        EXPECT_GT(scored.at("raw_quality").at("perplexity").at("text").get<double>(), 1);
    EXPECT_EQ(done.summary.stages[3].pairs, done.summary.stages[1].pairs + done.summary.stages[2].pairs);
    EXPECT_NE(adapter(folder_.path() / "round-1/train/adapter"), adapter(folder_.path() / "round-2/train/adapter"));
    // The control starts where the rounds started, whichever round was the best.
    EXPECT_NE(done.summary.best, "base");
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const RoundData data = make_round_data(planner, environment, {}, options, 1, folder_.path() / "round-1");
    const auto tokens = Stage(folder_.path() / "round-1/train").summary().at("tokens").get<int64_t>();
    train_control(planner, data, options, 1, tokens, folder_.path() / "alone");
    EXPECT_EQ(adapter(folder_.path() / "control/round-1/adapter"), adapter(folder_.path() / "alone/adapter"));
}

TEST_F(Align, DpoComparesARoundWithItsStartOrWithTheBase) {
    for (const Reference reference : {Reference::start, Reference::base}) {
        AlignOptions options = test::tiny_options();
        options.train.loss = default_loss_options(LossName::dpo);
        options.train.loss.reference = reference;
        // At the other tests' rate the planner no longer ends its responses: the loss has no part that keeps them likely.
        options.train.lr = 1e-2;
        const fs::path folder = folder_.path() / (reference == Reference::base ? "base" : "start");
        run(options, folder);
        for (const int round : {1, 2}) {
            const fs::path train = folder / ("round-" + std::to_string(round)) / "train";
            EXPECT_TRUE(fs::exists(train / "reference.json"));
            const double moved = std::abs(first_row(train / "metrics.jsonl").at("loss").get<double>() - std::log(2));
            if (reference == Reference::base && round == 2)
                EXPECT_GT(moved, 1e-3) << "the first round's training lies between";
            else
                EXPECT_LT(moved, 1e-5) << train;
        }
    }
}

TEST_F(Align, CountsInstructionsThatNoTextGives) {
    AlignOptions options = test::tiny_options();
    options.generator.count = 40;
    options.generator.domains = {0, 1};
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const std::vector<SourceText> texts = {
        {"a", "42.", ""}};  // will do without constraints; it has no word that could be changed
    const RoundData data = make_round_data(planner, environment, {texts, {}, {}}, options, 1, folder_.path());
    EXPECT_EQ(static_cast<int64_t>(data.pairs.size()) + total(data.dropped), options.generator.count);
    EXPECT_THAT(data.dropped, testing::Contains(testing::Key(HasSubstr("no text yields"))));
}

// CRAFT Algorithm 1: the step that is sampled is drawn for each instruction, up to the fifth.
TEST_F(Align, ResponsesOfEveryStepAreSampledPairedAndReported) {
    AlignOptions options = test::tiny_options();
    options.rounds = 1;
    options.generator.count = 40;
    options.history_steps = 5;
    const Run done = run(options, folder_.path());
    const SummaryStage& round = done.summary.stages.at(1);
    ASSERT_EQ(round.name, "round-1");
    int64_t pairs = 0;
    for (int64_t step = 1; step <= 5; ++step) {
        ASSERT_TRUE(round.pairs_by_step.contains(step)) << step;
        pairs += round.pairs_by_step.at(step);
    }
    EXPECT_EQ(round.pairs_by_step.size(), 5u);
    EXPECT_EQ(pairs, round.pairs) << "all of them are trained on";
    EXPECT_THAT(summary_table(done.summary), HasSubstr(std::to_string(pairs) + " ("));
    EXPECT_EQ(to_json(summary_stage_from_json(to_json(round))), to_json(round));
    // A pair's prompt is its history: two messages for each step before it, and the first one.
    JsonLinesReader rows((folder_.path() / "round-1/pairs/pairs.jsonl").string());
    while (const auto row = rows.next())
        EXPECT_EQ(static_cast<int64_t>(row->at("prompt").size()), 2 * row->at("provenance").at("step").get<int64_t>() - 1);
}

TEST_F(Align, ARoundWithoutAUsableResponseFails) {
    AlignOptions options = test::tiny_options();
    options.sampling.max_new_tokens = 1;  // a response takes one token, and another one to end
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const AlignInputs inputs{test::some_texts("train", 8), {}, {}};
    const auto make = [&] { make_round_data(planner, environment, inputs, options, 1, folder_.path()); };
    const std::string line = message_of(make);
    EXPECT_THAT(line, HasSubstr("sampled responses of round-1: expected a usable answer, got none of 72 ("));
    EXPECT_THAT(line, HasSubstr("cut "));  // 6 samples of 12 instructions, but for those that say nothing and end
    EXPECT_THAT(line, HasSubstr("max_new_tokens"));
    EXPECT_FALSE(Stage(folder_.path() / "pairs").complete()) << "the next run asks again";
}

TEST_F(Align, RoundsTakeTheirShareOfReadyInstructions) {
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const auto ready = test::some_instructions(environment, "train", 10);
    ASSERT_EQ(ready.size(), 10u);
    const auto ids = [&](int64_t round, int64_t count) {
        std::vector<std::string> taken;
        const fs::path folder = folder_.path() / (std::to_string(round) + "-" + std::to_string(count));
        for (const Instruction& one : ready_instructions_stage(ready, count, round, 3, folder).instructions)
            taken.push_back(one.id);
        return taken;
    };
    std::set<std::string> first;
    for (const int64_t round : {1, 2}) {
        for (const std::string& id : ids(round, 4))
            EXPECT_TRUE(first.insert(id).second) << id << " twice in two rounds of 4";
    }
    const auto third = ids(3, 4);  // the last two of ten, and two of the next order
    EXPECT_EQ(std::set<std::string>(third.begin(), third.end()).size(), 4u);
    for (const std::string& id : third) first.insert(id);
    EXPECT_EQ(first.size(), 10u);
    EXPECT_EQ(ids(1, 25).size(), 10u) << "there are no more";
    EXPECT_EQ(ids(3, 4), third) << "read, not drawn again";
    // A round trains on them, and needs no texts.
    AlignOptions options = test::tiny_options();
    options.generator.count = 6;
    const RoundData data = make_round_data(planner, environment, {{}, {}, {}, ready}, options, 1, folder_.path() / "r");
    EXPECT_EQ(static_cast<int64_t>(data.pairs.size()) + total(data.dropped), 6);
}

TEST_F(Align, EndsWithTheRoundThatTheSelectionSetChose) {
    const Run done = run(test::tiny_options(), folder_.path());
    const auto s_a = [&](const std::string& name) {
        return Stage(folder_.path() / name / "selection").summary().at("s_a").get<double>();
    };
    const std::string best = s_a("round-2") > s_a("round-1") ? "round-2" : "round-1";
    EXPECT_GT(s_a(best), s_a("start")) << "nothing was learned";
    EXPECT_EQ(done.summary.best, best);
    EXPECT_EQ(adapter(folder_.path() / "adapter"), adapter(folder_.path() / best / "train/adapter"));
    done.planner.decoder.save_adapter(folder_.path() / "now");
    EXPECT_EQ(adapter(folder_.path() / "now"), adapter(folder_.path() / "adapter"));
}

TEST_F(Align, IsAsItCameWhereNoRoundIsBetter) {
    AlignOptions options = test::tiny_options();
    options.train.lr = 1e-9;
    for (const bool control : {false, true}) {
        options.control = control;
        const fs::path folder = folder_.path() / (control ? "control" : "rounds");
        const Run done = run(options, folder);
        EXPECT_EQ(done.summary.best, "base");
        EXPECT_TRUE(fs::exists(folder / "round-1/train/adapter"));
        EXPECT_FALSE(done.planner.decoder.adapter());
        expect_no_change(folder / "adapter");  // there all the same, for scripts that continue with it
    }
}

TEST_F(Align, TheSameSeedGivesTheSameBytes) {
    const AlignOptions options = test::tiny_options();
    const Json one = timeless(to_json(run(options, folder_.path() / "one").summary));
    EXPECT_EQ(timeless(to_json(run(options, folder_.path() / "two").summary)), one);
    for (const char* file : {"round-1/pairs/pairs.jsonl", "round-2/pairs/responses.jsonl",
                             "round-2/train/adapter/adapter_model.safetensors", "round-2/dev/items.jsonl"})
        EXPECT_EQ(read_file(folder_.path() / "one" / file), read_file(folder_.path() / "two" / file)) << file;
    AlignOptions other = options;
    other.seed = 4;
    run(other, folder_.path() / "three");
    EXPECT_NE(read_file(folder_.path() / "one/round-1/pairs/responses.jsonl"),
              read_file(folder_.path() / "three/round-1/pairs/responses.jsonl"));
}

TEST_F(Align, StopsWhenTwoRoundsInARowDoNotImprove) {
    AlignOptions options = test::tiny_options();
    options.rounds = 5;
    options.epsilon = 1000;
    const Run done = run(options, folder_.path());
    EXPECT_THAT(names(done.summary), ElementsAre("base", "round-1", "round-2"));
    EXPECT_FALSE(fs::exists(folder_.path() / "round-3"));
}

TEST_F(Align, ARoundWithoutPairsEndsTheRounds) {
    AlignOptions options = test::tiny_options();
    options.pairs.min_gap = 100;
    options.control = true;
    const Run done = run(options, folder_.path());
    EXPECT_THAT(names(done.summary), ElementsAre("base", "round-1", "control"));
    EXPECT_EQ(done.summary.best, "base");
    EXPECT_EQ(done.summary.stages[1].pairs, 0);
    EXPECT_EQ(total(done.summary.stages[1].dropped), options.generator.count);
    EXPECT_FALSE(done.planner.decoder.adapter());
    const Json dropped = Stage(folder_.path() / "round-1/pairs").summary().at("dropped");
    EXPECT_EQ(total(dropped.get<std::map<std::string, int64_t>>()), options.generator.count);
    EXPECT_GE(dropped.at("gap").get<int64_t>(), 1);
}

TEST_F(Align, ARoundWhosePairsAreAllTooLongEndsTheRounds) {
    AlignOptions options = test::tiny_options();
    options.control = true;
    options.examples.max_length = 8;                 // no response leaves room for a prompt
    for (int attempt = 0; attempt < 2; ++attempt) {  // the second reads what the first made
        const Run done = run(options, folder_.path());
        EXPECT_THAT(names(done.summary), ElementsAre("base", "round-1", "control"));
        const SummaryStage& round = done.summary.stages[1];
        EXPECT_EQ(round.pairs, 0);
        EXPECT_GT(round.dropped.at("too long"), 0);
        EXPECT_EQ(round.dev.overall.s_a, done.summary.stages[0].dev.overall.s_a);
        EXPECT_FALSE(fs::exists(folder_.path() / "round-1" / "train"));
        expect_no_change(folder_.path() / "adapter");
    }
}

TEST_F(Align, StartsFromTheAdapterThatItIsGiven) {
    AlignOptions options = test::tiny_options();
    options.rounds = 1;
    options.control = true;
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    make_trainable(planner.decoder, options.train);
    planner.decoder.save_adapter(folder_.path() / "given");
    RevisionEnvironment environment = test::environment_of(planner, test::environment_options("compact", {}));
    const AlignInputs inputs{test::some_texts("train", 8), test::some_instructions(environment, "select", 4),
                             test::some_instructions(environment, "dev", 4)};
    const Summary summary = align(planner, environment, inputs, options, folder_.path() / "run", "sft");
    EXPECT_THAT(names(summary), ElementsAre("sft", "round-1", "control"));
    EXPECT_EQ(adapter(folder_.path() / "run/start/adapter"), adapter(folder_.path() / "given"));
    ASSERT_TRUE(planner.decoder.adapter());
    EXPECT_EQ(adapter(folder_.path() / "run/adapter"),
              adapter(summary.best == "sft" ? folder_.path() / "given" : folder_.path() / "run/round-1/train/adapter"));
    for (const auto& stage : summary.stages) EXPECT_FALSE(stage.dev.overall.s_r) << "no scorer";
    EXPECT_FALSE(first_row(folder_.path() / "run/round-1/dev/items.jsonl").contains("s_r")) << "null is absent";
}

TEST_F(Align, RefusesEmptyInputs) {
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    EXPECT_THAT(message_of([&] { align(planner, environment, {}, test::tiny_options(), folder_.path(), "base"); }),
                HasSubstr("a selection set and a dev set"));
    EXPECT_THAT(message_of([&] { test::environment_of(planner, test::environment_options("short")); }),
                testing::AllOf(HasSubstr("short"), HasSubstr("compact")));
    EXPECT_THAT(message_of([&] { test::environment_of(planner, test::environment_options("compact", {"bleu"})); }),
                testing::AllOf(HasSubstr("bleu"), HasSubstr("perplexity")));
}

std::multiset<std::string> lines_of(const fs::path& file) {
    std::multiset<std::string> lines;
    std::istringstream text(read_file(file));
    for (std::string line; std::getline(text, line);) lines.insert(line);
    return lines;
}

TEST_F(Align, AnEvaluationIsMadeOnceAndIsGreedy) {
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const auto instructions = test::some_instructions(environment, "dev", 5);
    SamplingOptions hot{.max_new_tokens = 6, .temperature = 3, .top_p = 1};
    const auto first = evaluate_stage(planner, environment, instructions, hot, folder_.path() / "one");
    hot.temperature = 0.1;
    const auto cold = evaluate_stage(planner, environment, instructions, hot, folder_.path() / "two");
    EXPECT_EQ(timeless(to_json(first)), timeless(to_json(cold)));
    EXPECT_EQ(read_file(folder_.path() / "one/items.jsonl"), read_file(folder_.path() / "two/items.jsonl"));
    JsonLinesReader rows((folder_.path() / "one/items.jsonl").string());
    double s_a = 0;
    for (const Instruction& instruction : instructions) {
        const auto row = rows.next();
        ASSERT_TRUE(row);
        EXPECT_EQ(row->at("id"), instruction.id);
        EXPECT_EQ(row->at("domain"), domain_name(instruction.domain));
        s_a += row->at("s_a").get<double>() / 5;
    }
    EXPECT_FALSE(rows.next());
    EXPECT_NEAR(first.overall.s_a, s_a, 1e-9);
    // Nor does their order: what is random in a revision belongs to the instruction.
    const auto turned =
        evaluate_stage(planner, environment, {instructions.rbegin(), instructions.rend()}, hot, folder_.path() / "three");
    EXPECT_EQ(lines_of(folder_.path() / "three/items.jsonl"), lines_of(folder_.path() / "one/items.jsonl"));
    // Read, not made again: other instructions change nothing.
    const auto again = evaluate_stage(planner, environment, {}, hot, folder_.path() / "one");
    EXPECT_EQ(to_json(again), to_json(first));
}

TEST_F(Align, TheControlComputesAsManyTokensAsTheRound) {
    AlignOptions options = test::tiny_options();
    options.train.epochs = 2;
    Planner planner = Planner::open(model_, at::kFloat, at::kCPU);
    RevisionEnvironment environment = test::environment_of(planner);
    const RoundData data =
        make_round_data(planner, environment, {test::some_texts("train", 8), {}, {}}, options, 1, folder_.path() / "r");
    const RoundData read = make_round_data(planner, environment, {}, options, 1, folder_.path() / "r");
    ASSERT_GE(data.pairs.size(), 2u);
    ASSERT_EQ(read.pairs.size(), data.pairs.size());
    for (size_t i = 0; i < data.pairs.size(); ++i) EXPECT_EQ(to_json(read.pairs[i]), to_json(data.pairs[i]));
    EXPECT_EQ(read.dropped, data.dropped);
    EXPECT_EQ(read.generated_tokens, data.generated_tokens);
    EXPECT_EQ(read.mean_best, data.mean_best);
    ASSERT_TRUE(data.quality_share.has_value());
    EXPECT_EQ(read.quality_share, data.quality_share);
    EXPECT_GE(data.sampled.responses, static_cast<int64_t>(2 * data.pairs.size()));
    EXPECT_EQ(read.sampled, data.sampled);
    EXPECT_GE(data.mean_best, data.mean_all);

    const TrainedStage round = train_round(planner, data, options, 1, folder_.path() / "train");
    EXPECT_EQ(round.examples, static_cast<int64_t>(data.pairs.size()));
    planner.decoder = planner.base;
    const int64_t tokens = 3 * round.tokens;
    const TrainedStage control = train_control(planner, data, options, 1, tokens, folder_.path() / "control");
    EXPECT_GE(control.tokens, tokens);
    EXPECT_LT(control.tokens, tokens + 2 * 2048) << "at most one example too many in each of two epochs";
    EXPECT_GT(control.examples, round.examples);
    // Of a finished stage the adapter is taken and the counts are read.
    Planner fresh = Planner::open(model_, at::kFloat, at::kCPU);
    const TrainedStage known = train_control(fresh, data, options, 1, tokens, folder_.path() / "control");
    EXPECT_EQ(known.tokens, control.tokens);
    fresh.decoder.save_adapter(folder_.path() / "fresh");
    EXPECT_EQ(adapter(folder_.path() / "fresh"), adapter(folder_.path() / "control/adapter"));
}

}  // namespace
}  // namespace craft
