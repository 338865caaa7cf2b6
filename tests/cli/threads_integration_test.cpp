// The number of threads is chosen by what else runs on the machine: no result may depend on it.
#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using test::run_command;

TEST(NumberOfThreads, ChangesNoByteOfATrainingNorOfWhatIsGenerated) {
    const TemporaryFolder folder;
    const auto at = [&](const std::string& name) { return (folder.path() / name).string(); };
    test::make_random_model(at("model"), test::kSmallModel);
    std::string texts;
    for (const std::string word : {"river", "mill", "harvest", "winter", "garden", "letter", "market", "window"})
        texts += "{\"prompt\":\"Write about the " + word + ".\",\"completion\":\"The " + word +
                 " was quiet, and nobody who passed it in the evening could say why it had become so.\"}\n";
    folder.file("sft.jsonl", texts);
    for (const std::string threads : {"1", "2"}) {
        const auto trained =
            run_command({"sft", "--model", at("model"), "--data", at("sft.jsonl"), "--out", at("run" + threads), "--epochs",
                         "2", "--batch-size", "4", "--lora-targets", "all-linear", "--threads", threads, "--device", "cpu"});
        ASSERT_EQ(trained.code, 0) << trained.err;
        const auto generated =
            run_command({"generate", "--model", at("model"), "--adapter", at("run1") + "/adapter", "--input",
                         test::kShare + "/examples/prompts.jsonl", "--output", at("o" + threads), "--temperature", "1",
                         "--samples", "4", "--max-new-tokens", "24", "--threads", threads, "--device", "cpu"});
        ASSERT_EQ(generated.code, 0) << generated.err;
    }
    EXPECT_TRUE(read_file(at("run1/adapter/adapter_model.safetensors")) ==
                read_file(at("run2/adapter/adapter_model.safetensors")));
    EXPECT_EQ(read_file(at("o1")), read_file(at("o2")));
}

}  // namespace
}  // namespace craft
