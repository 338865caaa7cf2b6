// A training process that is killed by SIGKILL at random moments and started again ends with the bytes of one that was not.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

#include "../core/temporary_folder.h"
#include "small_training.h"

namespace craft::test {
namespace {

namespace fs = std::filesystem;

// The victim's program: this test program started again with the folder in the environment.
constexpr const char* kFolder = "CRAFT_TEST_TRAINING_FOLDER";
constexpr const char* kStarted = "CRAFT_TEST_STARTED_FD";  // gets a byte when training begins
constexpr const char* kLoss = "CRAFT_TEST_LOSS";

TEST(Victim, DISABLED_Trains) {
    const char* folder = std::getenv(kFolder);
    if (folder == nullptr) GTEST_SKIP() << "only run by the test below";
    TrainOptions options = small_options(std::getenv(kLoss) == std::string("dpo") ? LossName::dpo : LossName::craft);
    options.epochs = 8;
    options.lora.dropout = 0.1;
    options.save_every = 2;
    options.eval_every = 5;
    options.average = 0.9;
    Decoder decoder = tiny_decoder(7, /*threads=*/2);
    make_trainable(decoder, options);
    if (const char* fd = std::getenv(kStarted)) {
        ASSERT_EQ(::write(std::atoi(fd), "!", 1), 1);
    }
    train(decoder, counting_pairs(40), options, folder, {.epoch_score = [](int64_t epoch) { return 1.0 / epoch; }},
          counting_pairs(4, 9));
    decoder.save_adapter(fs::path(folder) / "adapter");
}

pid_t start_victim(const fs::path& folder, int started) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    ::setenv(kFolder, folder.c_str(), 1);
    ::setenv(kStarted, std::to_string(started).c_str(), 1);
    ::execl("/proc/self/exe", "victim", "--gtest_also_run_disabled_tests", "--gtest_filter=*DISABLED_Trains",
            "--gtest_brief=1", nullptr);
    ::_exit(127);
}

using Clock = std::chrono::steady_clock;

// A victim that has begun to train.
pid_t training_victim(const fs::path& folder) {
    int pipe_ends[2];
    if (::pipe(pipe_ends) != 0) throw std::runtime_error("pipe");
    const pid_t child = start_victim(folder, pipe_ends[1]);
    ::close(pipe_ends[1]);
    char byte = 0;
    EXPECT_EQ(::read(pipe_ends[0], &byte, 1), 1) << "the victim never began to train";
    ::close(pipe_ends[0]);
    return child;
}

// Runs a victim and kills it `delay` after training began. Returns whether it came to its end before.
bool run_victim(const fs::path& folder, std::chrono::microseconds delay) {
    const pid_t child = training_victim(folder);
    std::this_thread::sleep_for(delay);
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) {
        EXPECT_EQ(WEXITSTATUS(status), 0);
    }
    return WIFEXITED(status);
}

// How long a victim trains that nobody kills.
std::chrono::microseconds run_to_end(const fs::path& folder) {
    const pid_t child = training_victim(folder);
    const auto began = Clock::now();
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began);
}

class KilledTraining : public testing::TestWithParam<const char*> {};  // a loss

TEST_P(KilledTraining, EndsWithTheSameBytes) {
    ::setenv(kLoss, GetParam(), 1);  // victims have it
    const TemporaryFolder folder;
    const auto whole = run_to_end(folder.path() / "whole");
    Rng rng(5, "moments of killing");
    int kills = 0;
    // Up to a quarter of a whole training each: some die in a save, some make no progress, most some.
    while (kills < 12 && !run_victim(folder.path() / "killed", std::chrono::microseconds(rng.between(0, whole.count() / 4))))
        ++kills;
    EXPECT_GE(kills, 3);
    run_to_end(folder.path() / "killed");
    const auto bytes = [&](const char* run) {
        return file_bytes(folder.path() / run / "adapter" / "adapter_model.safetensors");
    };
    EXPECT_FALSE(bytes("whole").empty());
    EXPECT_EQ(bytes("killed"), bytes("whole"));
    for (const char* file : {"metrics.jsonl", "eval.jsonl"})
        EXPECT_EQ(rows_of(folder.path() / "killed" / file), rows_of(folder.path() / "whole" / file));
    EXPECT_EQ(rows_of(folder.path() / "killed" / "metrics.jsonl").size(), 40U);
}

INSTANTIATE_TEST_SUITE_P(Losses, KilledTraining, testing::Values("craft", "dpo"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace craft::test
