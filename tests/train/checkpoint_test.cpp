#include "train/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/types.h>

#include "../core/temporary_folder.h"
#include "core/error.h"

namespace craft {
namespace {

Checkpoint checkpoint_of(int64_t step) {
    Checkpoint checkpoint;
    checkpoint.state = {.step = step,
                        .evaluated = 2,
                        .tokens = 123456789012,
                        .seconds = 1.0 / 3,
                        .compute_seconds = 0.25,
                        .scores = {0.1, 1.0 / 7},
                        .stopped_early = true,
                        .last_metrics = {{"step", step}, {"loss", 0.1}}};
    checkpoint.fingerprint = "42";
    checkpoint.tensors = {{"weight/a", at::full({2, 3}, static_cast<double>(step), at::kFloat)},
                          {"moment1/a", at::arange(6, at::kFloat).view({2, 3})}};
    return checkpoint;
}

void corrupt(const std::filesystem::path& file, size_t at) {
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekg(static_cast<std::streamoff>(at));
    const char old = static_cast<char>(bytes.get());
    bytes.seekp(static_cast<std::streamoff>(at));
    bytes.put(static_cast<char>(old ^ 1));
}

TEST(Checkpoints, ComeBackWhole) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path() / "c");
    EXPECT_FALSE(checkpoints.newest());
    const Checkpoint written = checkpoint_of(12);
    checkpoints.save(written);
    const Checkpoint read = *checkpoints.newest();
    EXPECT_EQ(read.fingerprint, "42");
    EXPECT_EQ(read.state.step, 12);
    EXPECT_EQ(read.state.evaluated, 2);
    EXPECT_EQ(read.state.tokens, 123456789012);
    EXPECT_EQ(read.state.seconds, 1.0 / 3);
    EXPECT_EQ(read.state.scores, written.state.scores);
    EXPECT_TRUE(read.state.stopped_early);
    EXPECT_EQ(read.state.last_metrics, written.state.last_metrics);
    ASSERT_EQ(read.tensors.size(), 2U);
    for (const auto& [name, tensor] : read.tensors)
        EXPECT_TRUE(at::equal(tensor, name == "weight/a" ? written.tensors[0].second : written.tensors[1].second));
}

TEST(Checkpoints, KeepTheNewestAndThePinned) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    for (const int64_t step : {2, 4, 6, 10, 100000000}) checkpoints.save(checkpoint_of(step));
    EXPECT_EQ(checkpoints.steps(), (std::vector<int64_t>{2, 4, 6, 10, 100000000}));
    checkpoints.prune(2, 4);
    EXPECT_EQ(checkpoints.steps(), (std::vector<int64_t>{4, 10, 100000000}));
    checkpoints.prune(1, -1);
    EXPECT_EQ(checkpoints.steps(), (std::vector<int64_t>{100000000}));
}

TEST(Checkpoints, ADamagedOneIsLeftForTheOneBefore) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    checkpoints.save(checkpoint_of(1));
    checkpoints.save(checkpoint_of(2));
    checkpoints.save(checkpoint_of(3));
    std::filesystem::resize_file(checkpoints.file(3), std::filesystem::file_size(checkpoints.file(3)) - 5);
    corrupt(checkpoints.file(2), std::filesystem::file_size(checkpoints.file(2)) - 100);
    EXPECT_EQ(checkpoints.newest()->state.step, 1);
    EXPECT_EQ(checkpoints.steps(), (std::vector<int64_t>{1}));  // what cannot be read is no longer in the way
}

TEST(Checkpoints, AllDamagedIsAnErrorThatNamesTheFile) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    checkpoints.save(checkpoint_of(3));
    std::filesystem::resize_file(checkpoints.file(3), 10);
    EXPECT_THAT([&] { checkpoints.newest(); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("step-00000003.safetensors")));
    EXPECT_EQ(checkpoints.steps().size(), 1U);
}

TEST(Checkpoints, EveryFlippedBitIsSeen) {
    const TemporaryFolder folder;
    const CheckpointFolder checkpoints(folder.path());
    checkpoints.save(checkpoint_of(3));
    const size_t size = std::filesystem::file_size(checkpoints.file(3));
    for (size_t at = 0; at < size; at += 3) {
        corrupt(checkpoints.file(3), at);
        bool seen = false;
        try {
            const Checkpoint read = checkpoints.at_step(3);
            // A blank of the header's padding, or a byte of "pt", changes nothing that is read.
            seen = read.state.step == 3 && at::equal(read.tensors[1].second, checkpoint_of(3).tensors[0].second) &&
                   read.state.last_metrics == checkpoint_of(3).state.last_metrics;
        } catch (const Error&) {
            seen = true;
        }
        EXPECT_TRUE(seen) << "byte " << at << " of " << size;
        corrupt(checkpoints.file(3), at);
    }
}

TEST(Checkpoints, LeftoversOfAKilledProcessAreRemoved) {
    const TemporaryFolder folder;
    folder.file("step-00000004.safetensors.tmp-77", "half a file");
    const CheckpointFolder checkpoints(folder.path());
    EXPECT_EQ(folder.count(), 0U);
}

}  // namespace
}  // namespace craft
