// Options that contradict each other or cannot be used: one line that names them, exit code 2, nothing begun.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <tuple>

#include "losses/losses.h"
#include "tests/cli/command_inputs.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::Arguments;
using test::filled;
using test::kInstruction;

using Usage = test::CommandInputs;

TEST_F(Usage, IsCheckedBeforeAnythingBegins) {
    const Arguments sft = {"sft", "--model", "{model}", "--data", "{dir}/sft.jsonl", "--out", "{dir}/out"};
    const Arguments pairs = {"align", "--model", "{model}", "--pairs", "{dir}/pairs.jsonl", "--out", "{dir}/out"};
    const Arguments rounds = {"align", "--model", "{model}", "--texts", "{dir}/text.jsonl", "--out", "{dir}/out"};
    const Arguments constraints = {"constraints", "--texts", "{dir}/text.jsonl", "--output", "{dir}/o"};
    const Arguments tokenizer = {"tokenizer", "train", "--texts", "{dir}/text.jsonl", "--out", "{dir}/out"};
    const Arguments quickstart = {"quickstart", "--model", "{model}", "--out", "{dir}/out"};
    const Arguments generate = {"generate", "--model", "{model}", "--input", "{dir}/sft.jsonl", "--output", "{dir}/o"};
    std::string losses = "expected one of ";
    for (const auto& [name, loss] : loss_names()) losses += (name == "sft" ? "" : ", ") + name;  // the first
    losses += ", got ";
    const std::vector<std::tuple<Arguments, Arguments, std::string>> cases = {
        {sft, {"--loss", "simpoo"}, "--loss: " + losses + "'simpoo'"},
        {pairs, {"--loss", "dpo"}, "--loss: " + losses + "'dpo'"},
        {quickstart, {"--set", "rounds.loss=dpo"}, "--set rounds.loss: " + losses + "'dpo'"},
        {rounds, {"--iter", "0"}, "--iter: expected at least 1, got 0"},
        {rounds, {"--iter", "1", "--set", "sampling.top_p=0"}, "--set sampling.top_p: expected above 0, got 0"},
        {rounds, {"--iter", "1", "--set", "sampling.temperature=0"}, "--set sampling.temperature: expected above 0, got 0"},
        {rounds,
         {"--iter", "1", "--set", "rounds.domains=[\"c1\",\"c4\"]"},
         "--set rounds.domains: expected c0 to c3, got c4, which is for evaluation only"},
        {rounds, {"--iter", "1", "--set", "rounds.mix=[1,2]"}, "--set rounds.mix: expected 8 shares, got 2"},
        {rounds, {"--iter", "many"}, "--iter: expected an integer, got 'many'"},
        {quickstart, {"--iter", "0"}, "--iter: expected at least 1, got 0"},
        {{"quickstart", "--out", "{dir}/out"}, {}, "missing --model: "},
        {rounds, {}, "align: expected either --pairs FILE or --iter N, got none"},
        {pairs, {"--iter", "1", "--texts", "{dir}/text.jsonl"}, "align: expected either --pairs FILE or --iter N, got both"},
        {pairs, {"--texts", "{dir}/text.jsonl"}, "--texts: has no effect with --pairs"},
        {pairs, {"--dev", "x"}, "--dev: has no effect with --pairs"},
        {pairs, {"--set", "rounds.samples=6"}, "--set rounds.samples: has no effect with --pairs"},
        {pairs, {"--set", "prompt=compact"}, "--prompt: has no effect with --pairs"},
        {rounds,
         {"--iter", "1", "--dev", "{dir}/instructions.jsonl", "--selection", "{dir}/../{name}/instructions.jsonl"},
         "--dev and --selection: expected two files, got one; what chooses the best round is not reported"},
        {rounds, {"--iter", "1", "--dev", "-", "--selection", "-"}, "--dev and --selection: only one of them can be stdin"},
        {{"align", "--iter", "1", "--model", "{model}", "--texts", "-", "--out", "{dir}/out"},
         {"--dev", "-", "--selection", "-"},
         "--texts, --dev and --selection: only one of them can be stdin"},
        {{"sft", "--model", "{model}", "--data", "-", "--out", "{dir}/out"},
         {"--eval-data", "-"},
         "--data and --eval-data: only one of them can be stdin"},
        {sft, {"--set", "train.eval_every=5"}, "--set train.eval_every: has no effect without --eval-data"},
        {rounds, {"--iter", "1", "--full"}, "--full: rounds train an adapter; only --pairs can train every weight"},
        {rounds, {"--iter", "1", "--eval-data", "x"}, "--eval-data: rounds evaluate on --dev; it goes with --pairs"},
        {pairs, {"--beta", "-1"}, "--beta: expected a number above 0, got -1"},
        {pairs, {"--set", "loss.label_smoothing=0.5"}, "--set loss.label_smoothing: expected a number in [0, 0.5), got 0.5"},
        {quickstart, {"--set", "rounds.beta=-1"}, "--set rounds.beta: expected a number above 0, got -1"},
        {quickstart, {"--set", "sft.warmup=1.5"}, "--set sft.warmup: expected a share below 1 or a whole number of steps"},
        {sft, {"--loss", "craft"}, "--loss: sft trains with sft; the others need pairs: craft-train align --pairs"},
        {sft, {"--full", "--adapter", "x"}, "--full and --adapter: only one of them"},
        {sft, {"--adapter", "x", "--lora-rank", "3"}, "--lora-rank: has no effect with --adapter"},
        {sft, {"--full", "--lora-alpha", "3"}, "--lora-alpha: has no effect with --full"},
        {sft, {"--batch-size", "0"}, "--batch-size: expected at least 1, got 0"},
        {sft, {"--set", "train.warmup=1.5"}, "--set train.warmup: expected a share below 1 or a whole number of steps"},
        {sft, {"--lora-targets", "q_proj,foo"}, "--lora-targets: in the list: expected one of down_proj, "},
        {rounds,
         {"--iter", "1", "--set", "reward.scorers=bart"},
         "--set reward.scorers: in the list: expected one of bartscore:MODEL, external:COMMAND, some:MODEL, "
         "perplexity[:MODEL], got 'bart'"},
        {constraints, {"--domain", "c9"}, "--domain: in the list: expected one of c0, c1, c2, c3, c4, got 'c9'"},
        {constraints, {"--every-text", "--count", "3"}, "--every-text and --count: only one of them"},
        {{"constraints", "--output", "{dir}/o"}, {"--sealed", "dev"}, "--sealed: expected one of test, search, got 'dev'"},
        {constraints, {"--sealed", "test"}, "--texts: has no effect with --sealed"},
        {{"constraints", "--output", "{dir}/o"},
         {"--sealed", "test", "--count", "3"},
         "--count: has no effect with --sealed"},
        {rounds, {"--iter", "1", "--set", "data.test=301"}, "--set data.test: expected at most 300, got 301"},
        {constraints, {"--proof", "{dir}/o"}, "--proof: expected another file than --output, got"},
        {constraints, {"--proof", "{dir}/./o"}, "--proof: expected another file than --output, got"},
        {constraints, {"--report", "{dir}/o"}, "--report: expected another file than --output, got"},
        {constraints, {"--report", "-"}, "--report: expected a file, got stdout"},
        {{"constraints", "--texts", "{dir}/text.jsonl"},
         {"--output", "{dir}/text.jsonl"},
         "--output: expected another file than --texts, which it would overwrite, got"},
        {constraints, {"--proof", "-"}, "--proof: expected a file, got stdout"},
        {tokenizer, {"--vocab-size", "100"}, "--vocab-size: expected at least 264, got 100"},
        {tokenizer, {"--model", "wordpiece"}, "--model: expected one of bpe, unigram, got 'wordpiece'"},
        {tokenizer,
         {"--symbols", "a,b,a"},
         "--symbols: expected spellings that are no tokens yet, got 'a' (special, or given twice)"},
        {{"trajectories", "--instructions", "x", "--out", "{dir}/out"},
         {"--teacher", "local"},
         "--teacher: expected rules, local:MODEL[+ADAPTER] or openai:PROFILE, got local"},
        {{"trajectories", "--instructions", "x", "--out", "{dir}/out"},
         {"--teacher", "openai:any"},
         "openai:any: unknown profile openai:any; the configuration has none: --set openai.any.model=... (docs/hosted.md)"},
        {{"trajectories", "--instructions", "x", "--out", "{dir}/out"},
         {"--scorers", "perplexity"},
         "--scorers perplexity needs --perplexity-model MODEL, since the rules are no model"},
        {{"trajectories", "--instructions", "x", "--out", "{dir}/out"},
         {"--scorers", "none,some:x"},
         "--scorers: 'none' goes with nothing else"},
        {{"trajectories", "--instructions", "x", "--out", "{dir}/out"},
         {"--scorers", "latex"},
         "--scorers: in the list: expected one of auto, none, bartscore:MODEL, "},
        {{"trajectories", "--instructions", "x", "--out", "{dir}/out"},
         {"--chat-template", "chatml"},
         "--chat-template needs a role that is played by local:MODEL"},
        {generate, {"--min-p", "1.5"}, "--min-p: expected at most 1, got 1.5"},
        {generate, {"--repetition-penalty", "-1"}, "--repetition-penalty: expected at least 0, got -1"},
        {generate, {"--repetition-penalty", "0"}, "--repetition-penalty: expected above 0, got 0"},
        {generate,
         {"--greedy", "--repetition-penalty", "1.2", "--min-p", "0.1"},
         "--greedy: does not go with --temperature, --top-p, --top-k or --min-p"},
        {{"eval", "tools", "--items", "x"}, {}, "--calls and --planner: expected one of them, got none"},
        {{"eval", "tools", "--items", "x", "--calls", "y"},
         {"--planner", "z"},
         "--calls and --planner: expected one of them, got both"},
        {{"eval", "cord", "--items", "-", "--outputs", "-"}, {}, "--items and --outputs: only one of them can be stdin"},
    };
    for (const auto& [command, options, line] : cases) {
        Arguments arguments = command;
        arguments.insert(arguments.end(), options.begin(), options.end());
        arguments = filled(arguments, "{name}", folder_.path().filename().string());
        EXPECT_THAT(failure(arguments), testing::StartsWith("2: " + line));
        EXPECT_FALSE(fs::exists(folder_.path() / "out")) << "a folder is begun before the usage is checked: " << line;
    }
}

TEST_F(Usage, SetsThatShareAnInstruction) {
    folder_.file("selection.jsonl", kInstruction);
    EXPECT_EQ(failure({"align", "--iter", "1", "--model", "{model}", "--texts", "{dir}/text.jsonl", "--dev",
                       "{dir}/instructions.jsonl", "--selection", "{dir}/selection.jsonl", "--out", "{dir}/out"}),
              "2: --dev and --selection: expected instructions of their own in each, got 'a' in both");
}

TEST_F(Usage, WarnsOfCoefficientsThatTheLossDoesNotHave) {
    const auto warnings = [&](const std::string& loss) {
        return test::run_command({"align", "--model", test::tiny_model(), "--pairs", dir() + "/pairs.jsonl", "--out",
                                  dir() + "/out", "--loss", loss, "--beta", "1", "--gamma", "1", "--alpha", "1",
                                  "--dump-config"})
            .err;
    };
    EXPECT_EQ(warnings("cpo_simpo"), "");
    EXPECT_EQ(warnings("craft"), "warning: alpha has no effect with loss craft\n");
    EXPECT_EQ(warnings("arpo"), "warning: gamma has no effect with loss arpo\n");
}

TEST_F(Usage, WarnsOfOptionsOfAnotherLoss) {
    const auto warnings = [&](const std::string& loss, const std::string& setting) {
        return test::run_command({"align", "--model", test::tiny_model(), "--pairs", dir() + "/pairs.jsonl", "--out",
                                  dir() + "/out", "--loss", loss, "--set", setting, "--dump-config"})
            .err;
    };
    const std::string said = "warning: --set loss.";
    EXPECT_EQ(warnings("simpo", "loss.form=ipo"), said + "form has no effect with loss simpo\n");
    EXPECT_EQ(warnings("craft", "loss.eta1=5"), said + "eta1 has no effect with loss craft\n");
    EXPECT_EQ(warnings("simpo", "loss.nll_normalisation=sum"), said + "nll_normalisation has no effect with loss simpo\n");
    EXPECT_EQ(warnings("sft", "loss.label_smoothing=0.1"), said + "label_smoothing has no effect with loss sft\n");
    EXPECT_EQ(warnings("cpo", "loss.form=ipo"), "");
    EXPECT_EQ(warnings("arpo", "loss.detach_tau=true"), "");
}

}  // namespace
}  // namespace craft
