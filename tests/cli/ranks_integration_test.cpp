// sft and align --pairs in 2 and 4 processes that talk by Gloo: the same training as one process, and what happens when a
// process is lost, stopped or badly started.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/cli/rank_processes.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/random_model.h"

namespace craft {
namespace {

using namespace test;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
namespace fs = std::filesystem;

class RanksTest : public testing::Test {
protected:
    RanksTest() {
        make_random_model(at("model"), kSmallModel);
        std::string sequences, pairs, some_pairs;
        for (int i = 0; i < 18; ++i) {
            std::string text = "Keep sentence " + std::to_string(i);
            for (int j = 0; j < (i * 7) % 13; ++j) text += " and the word " + std::to_string(j * i);
            const Json pair = {{"prompt", text},
                               {"chosen", "It is " + text + "."},
                               {"rejected", "No " + std::to_string(i)},
                               {"provenance", {{"gap", 5 + (i * 7) % 13}}}};
            sequences += dump_line({{"prompt", text}, {"completion", " it is late, number " + std::to_string(i)}}) + "\n";
            pairs += dump_line(pair) + "\n";
            if (i < 5) some_pairs += dump_line(pair) + "\n";
        }
        folder_.file("sft.jsonl", sequences);
        folder_.file("pairs.jsonl", pairs);
        folder_.file("some_pairs.jsonl", some_pairs);
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }

    // In float32: 1e-6 of a loss is less than bfloat16 tells apart, which --dtype auto takes on some processors.
    std::vector<std::string> sft(const std::string& out, const std::vector<std::string>& more = {}) const {
        std::vector<std::string> arguments = {"sft",          "--model", at("model"),     "--data",  at("sft.jsonl"),
                                              "--batch-size", "7",       "--out",         at(out),   "--micro-batch-tokens",
                                              "150",          "--set",   "train.lr=1e-4", "--dtype", "float32"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    std::vector<std::string> align(const std::string& out, const std::vector<std::string>& more = {},
                                   const std::string& loss = "craft") const {
        std::vector<std::string> arguments = {"align", "--model", at("model"),     "--pairs", at("pairs.jsonl"),
                                              "--out", at(out),   "--loss",        loss,      "--epochs",
                                              "2",     "--set",   "train.lr=1e-4", "--dtype", "float32"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return arguments;
    }
    void run(int size, const std::vector<std::string>& arguments) const {
        RankProcesses ranks(size, arguments, folder_.path());
        EXPECT_THAT(ranks.wait(), Each(0)) << ranks.all_logs();
        for (int rank = 0; rank < size; ++rank) EXPECT_EQ(ranks.output(rank), "");
        for (int rank = 1; rank < size; ++rank) EXPECT_EQ(ranks.log(rank), "");
    }
    void expect_same_curve(const std::string& name, const std::string& expected, const std::string& file = "metrics.jsonl") {
        expect_same_rows(folder_.path() / name / file, folder_.path() / expected / file);
    }
    std::string bytes(const std::string& name) const { return read_file(folder_.path() / name); }

    TemporaryFolder folder_;
};

TEST_F(RanksTest, LoraTrainsAsOneProcessDoes) {
    const std::vector<std::string> more = {"--lora-dropout", "0.2", "--epochs", "3"};
    run(1, sft("one", more));
    for (const int size : {2, 4}) {
        const std::string name = "of-" + std::to_string(size);
        run(size, sft(name, more));
        expect_same_curve(name, "one");
        EXPECT_EQ(bytes(name + "/adapter/adapter_config.json"), bytes("one/adapter/adapter_config.json"));
        const Json manifest = Json::parse(bytes(name + "/manifest.json"));
        EXPECT_EQ(manifest["notes"]["parallel"]["ranks"], size);
        EXPECT_GE(manifest["notes"]["parallel"]["threads_of_each"], 1);
    }
}

TEST_F(RanksTest, EveryWeightTrainsWithDividedStates) {
    const std::vector<std::string> more = {
        "--full", "--lr", "2e-5", "--set", "train.weight_decay=0.1", "--set", "train.average=0.9", "--epochs", "2"};
    run(1, sft("one", more));
    for (const int size : {2, 4}) {
        const std::string name = "of-" + std::to_string(size);
        run(size, sft(name, more));
        expect_same_curve(name, "one");
        EXPECT_EQ(bytes(name + "/model/model.safetensors").size(), bytes("one/model/model.safetensors").size());
        EXPECT_EQ(bytes(name + "/checkpoints/step-00000006.safetensors").size() / 1024,
                  bytes("one/checkpoints/step-00000006.safetensors").size() / 1024);
    }
}

TEST_F(RanksTest, PairsInBatchesSmallerThanTheWorld) {
    const std::vector<std::string> more = {"--batch-size", "3",
                                           "--eval-data",  at("some_pairs.jsonl"),
                                           "--set",        "train.eval_every=4",
                                           "--set",        "train.part_norms_every=2"};
    run(1, align("one", more));
    run(4, align("of-4", more));
    expect_same_curve("of-4", "one");
    expect_same_curve("of-4", "one", "eval.jsonl");
}

TEST_F(RanksTest, AReferenceIsSharedOut) {
    run(1, sft("sft"));
    const std::vector<std::string> more = {
        "--reference",          "base", "--adapter",   at("sft/adapter"),     "--batch-size", "6",
        "--micro-batch-tokens", "150",  "--eval-data", at("some_pairs.jsonl")};
    run(1, align("one", more, "dpo"));
    for (const int size : {2, 4}) {
        const std::string name = "of-" + std::to_string(size);
        run(size, align(name, more, "dpo"));
        EXPECT_EQ(bytes(name + "/reference.json"), bytes("one/reference.json"));
        expect_same_curve(name, "one");
        expect_same_curve(name, "one", "eval.jsonl");
    }
    EXPECT_EQ(Json::parse(bytes("one/reference.json"))["data"].size(), 36u);
    EXPECT_EQ(Json::parse(bytes("one/manifest.json"))["notes"]["loss"]["reference"], "base");
}

TEST_F(RanksTest, ALostRankEndsTheOthersAndAnyNumberGoesOn) {
    const std::vector<std::string> more = {"--epochs", "7"};
    run(1, sft("one", more));
    {
        RankProcesses ranks(4, sft("lost", more), folder_.path());
        ASSERT_TRUE(wait_for_lines(folder_.path() / "lost/metrics.jsonl", 3)) << ranks.all_logs();
        ranks.signal(2, SIGKILL);
        EXPECT_THAT(ranks.wait(30), ElementsAre(1, 1, 128 + SIGKILL, 1)) << ranks.all_logs();
        EXPECT_THAT(ranks.errors(0),
                    ElementsAre(AllOf(HasSubstr("no sign of life from rank 2 ("), HasSubstr("the checkpoint of step"))));
        EXPECT_THAT(ranks.errors(3), ElementsAre(HasSubstr("no sign of life from rank 2 (")));
    }
    const size_t done = rows_in(folder_.path() / "lost/metrics.jsonl").size();
    EXPECT_GE(done, 3u);
    EXPECT_LT(done, 21u);
    for (const int size : {1, 2}) {
        const std::string name = "on-by-" + std::to_string(size);
        fs::copy(folder_.path() / "lost", folder_.path() / name, fs::copy_options::recursive);
        run(size, sft(name, more));
        expect_same_curve(name, "one");
    }
}

TEST_F(RanksTest, TheRankThatKeepsTheOthersTogetherIsLost) {
    const std::vector<std::string> more = {"--epochs", "20", "--set", "train.save_every=1"};
    RankProcesses ranks(2, sft("lost", more), folder_.path());
    ASSERT_TRUE(wait_for_lines(folder_.path() / "lost/metrics.jsonl", 3)) << ranks.all_logs();
    ranks.signal(0, SIGKILL);
    EXPECT_THAT(ranks.wait(30), ElementsAre(128 + SIGKILL, 1)) << ranks.all_logs();
    EXPECT_THAT(ranks.errors(1), ElementsAre(HasSubstr("rank 0 (")));
}

TEST_F(RanksTest, ARankThatHangsIsFoundOutAndAShortPauseIsNot) {
    RankProcesses ranks(2, sft("hung", {"--epochs", "400"}), folder_.path());
    const fs::path rows = folder_.path() / "hung/metrics.jsonl";
    ASSERT_TRUE(wait_for_lines(rows, 2)) << ranks.all_logs();
    ranks.signal(1, SIGSTOP);
    ::usleep(1500000);
    const size_t before = rows_in(rows).size();
    ranks.signal(1, SIGCONT);
    ASSERT_TRUE(wait_for_lines(rows, before + 2)) << ranks.all_logs();
    ranks.signal(1, SIGSTOP);
    EXPECT_EQ(ranks.wait_for(0, 30), 1) << ranks.all_logs();
    EXPECT_THAT(ranks.errors(0), ElementsAre(HasSubstr("no sign of life from rank 1 (")));
}

TEST_F(RanksTest, ASignalToOneStopsAllAfterTheSameStep) {
    for (const bool full : {false, true}) {
        std::vector<std::string> more = {"--epochs", "4"};
        if (full) more.push_back("--full");
        const std::string whole = full ? "whole-full" : "whole", stopped = full ? "stopped-full" : "stopped";
        run(2, sft(whole, more));
        {
            RankProcesses ranks(2, sft(stopped, more), folder_.path());
            ASSERT_TRUE(wait_for_lines(folder_.path() / stopped / "metrics.jsonl", 2)) << ranks.all_logs();
            const int signal = full ? SIGUSR1 : SIGTERM;
            ranks.signal(1, signal);
            EXPECT_THAT(ranks.wait(30), Each(128 + signal)) << ranks.all_logs();
            EXPECT_THAT(ranks.log(0), HasSubstr("rerun to resume"));
            EXPECT_EQ(ranks.log(1), "");
        }
        EXPECT_LT(rows_in(folder_.path() / stopped / "metrics.jsonl").size(), 12u);
        run(2, sft(stopped, more));
        const std::string file = full ? "/model/model.safetensors" : "/adapter/adapter_model.safetensors";
        EXPECT_EQ(bytes(stopped + file), bytes(whole + file)) << "by as many ranks, to the byte";
        expect_same_curve(stopped, whole);
    }
}

TEST_F(RanksTest, StatesDividedByTwoGoOnInOneProcess) {
    const std::vector<std::string> more = {"--epochs", "3", "--full", "--lr", "2e-5", "--set", "train.save_every=2"};
    run(1, sft("one", more));
    {
        RankProcesses ranks(2, sft("lost", more), folder_.path());
        ASSERT_TRUE(wait_for_lines(folder_.path() / "lost/metrics.jsonl", 3)) << ranks.all_logs();
        ranks.signal(1, SIGKILL);
        const auto codes = ranks.wait(30);
        ASSERT_EQ(codes[0], 1) << ranks.all_logs();
        EXPECT_THAT(ranks.errors(0), ElementsAre(HasSubstr("the checkpoint of step")));
    }
    run(1, sft("lost", more));
    expect_same_curve("lost", "one");
}

TEST_F(RanksTest, WrongLaunchesSayWhatIsWrong) {
    const auto outcome = [&](const Variables& variables, const std::vector<std::string>& more = {}) {
        RankProcesses ranks(1, sft("out", more), folder_.path(), variables);
        const auto codes = ranks.wait(30);
        std::string text = std::to_string(codes[0]) + ":";
        for (const auto& error : ranks.errors(0)) text += " " + error;
        return text;
    };
    const std::string port = std::to_string(free_port());
    const Variables two = {{"RANK", "0"}, {"WORLD_SIZE", "2"}, {"MASTER_ADDR", "127.0.0.1"}, {"MASTER_PORT", port}};
    const auto with = [&](const Variables& other) {
        Variables variables = two;
        for (const auto& [name, value] : other) variables[name] = value;
        return variables;
    };
    EXPECT_EQ(outcome(with({{"RANK", "2"}})), "2: RANK: expected a whole number from 0 to 1, got '2'");
    EXPECT_EQ(outcome(with({{"MASTER_ADDR", ""}})), "2: MASTER_ADDR: expected the host of rank 0, got none");
    EXPECT_THAT(outcome(with({{"RANK", "1"}, {"MASTER_ADDR", "no.such.host.invalid"}})),
                HasSubstr("2: rank 1: MASTER_ADDR: expected the host of rank 0, got 'no.such.host.invalid' ("));
    EXPECT_THAT(outcome(two, {"--set", "parallel.join_timeout=1"}),
                HasSubstr("1: rank 0 of 2: expected all ranks to come within 1 s, got none of rank 1"));
    EXPECT_THAT(outcome(with({{"RANK", "1"}}), {"--set", "parallel.join_timeout=1"}),
                HasSubstr("1: rank 1: 127.0.0.1:" + port + ": expected rank 0 to answer"));
    EXPECT_EQ(outcome(two, {"--eval-data", "-"}), "2: -: several ranks cannot share stdin; give a file");
    EXPECT_EQ(outcome(two, {"--eval-data", "/dev/fd/0"}), "2: /dev/fd/0: several ranks cannot share a pipe; give a file");
    EXPECT_FALSE(fs::exists(at("out")));

    const int taken = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    address.sin_port = htons(static_cast<uint16_t>(std::stoi(port)));
    ASSERT_EQ(::bind(taken, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(::listen(taken, 1), 0);
    EXPECT_EQ(outcome(two),
              "2: MASTER_PORT: expected a free port of this machine, got " + port + ", which another program uses");
    ::close(taken);
}

TEST_F(RanksTest, ARunThatCannotBeginEndsAllRanks) {
    fs::create_directories(at("full"));
    folder_.file("full/else", "not a run");
    RankProcesses ranks(2, sft("full"), folder_.path());
    EXPECT_THAT(ranks.wait(30), ElementsAre(1, 1));
    EXPECT_THAT(ranks.errors(0), ElementsAre(HasSubstr("expected an empty folder or a run of craft-train")));
    EXPECT_THAT(ranks.errors(1), ElementsAre(AllOf(HasSubstr("rank 1: rank 0: "), HasSubstr("expected an empty folder"))));
}

TEST_F(RanksTest, AFinishedRunIsLeftAsItIs) {
    run(2, sft("done"));
    const std::string before = bytes("done/manifest.json");
    run(2, sft("done"));
    EXPECT_EQ(bytes("done/manifest.json"), before);
}

TEST_F(RanksTest, SlurmsVariables) {
    run(1, sft("one"));
    const std::string port = std::to_string(free_port());
    std::vector<std::unique_ptr<RankProcesses>> tasks;
    for (const char* rank : {"0", "1"}) {
        fs::create_directories(at(std::string("task") + rank));
        tasks.push_back(std::make_unique<RankProcesses>(1, sft("slurm"), at(std::string("task") + rank),
                                                        Variables{{"SLURM_PROCID", rank},
                                                                  {"SLURM_NTASKS", "2"},
                                                                  {"SLURM_LOCALID", rank},
                                                                  {"SLURM_JOB_ID", "77"},
                                                                  {"SLURM_JOB_NODELIST", "localhost,other[1-3]"},
                                                                  {"MASTER_PORT", port}}));
    }
    for (auto& task : tasks) EXPECT_THAT(task->wait(), Each(0)) << task->all_logs();
    expect_same_curve("slurm", "one");
}

}  // namespace
}  // namespace craft
