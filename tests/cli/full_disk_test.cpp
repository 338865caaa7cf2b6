// A disk that fills up under the program: a limit on the size of files stands for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

#include "core/files.h"
#include "core/rng.h"
#include "core/signals.h"
#include "model/decoder/decoder.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::failure_of;
using test::Outcome;
using test::run_command;
using testing::HasSubstr;

// No file grows beyond `bytes` while this lives.
class FileLimit {
public:
    explicit FileLimit(rlim_t bytes) {
        install_signal_flags();  // else the first write beyond ends the test
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileLimit() { ::setrlimit(RLIMIT_FSIZE, &before_); }
    FileLimit(const FileLimit&) = delete;
    FileLimit& operator=(const FileLimit&) = delete;

private:
    rlimit before_{};
};

// Letters that deflate cannot make much of.
std::string noise(size_t size) {
    Rng rng(1, "noise", size);
    std::string text;
    for (size_t i = 0; i < size; ++i) text += static_cast<char>('a' + rng.below(26));
    return text;
}

std::string trajectory_row(int number, const std::string& text) {
    return Json({{"id", "t" + std::to_string(number)},
                 {"domain", "c0"},
                 {"instruction", "Improve this:"},
                 {"text", text},
                 {"constraints", Json::array()},
                 {"messages", {{{"role", "user"}, {"content", "Improve this: " + text}}}},
                 {"steps", Json::array()}})
               .dump() +
           "\n";
}

TEST(FullDisk, AStoreKeepsWhatIsSealedAndGoesOn) {
    const TemporaryFolder folder;
    std::string rows;
    for (int i = 0; i < 40; ++i) rows += trajectory_row(i, i < 25 ? "It is late." : noise(20'000));
    const std::string lines = folder.file("t.jsonl", rows), out = (folder.path() / "store").string();
    const std::vector<std::string> import = {"trajectories", "import", "--input", lines,
                                             "--out",        out,      "--set",   "store.segment_trajectories=10"};
    {
        const FileLimit limit(100'000);
        EXPECT_EQ(failure_of(import), "1: " + out + "/segment-000003.h5: cannot write: File too large");
    }
    EXPECT_FALSE(fs::exists(out + "/segment-000003.h5"));
    const std::vector<std::string> some = {"trajectories", "export", "--store", out, "--output", "-", "--allow-unfinished"};
    const Outcome sealed = run_command(some);
    EXPECT_EQ(std::count(sealed.out.begin(), sealed.out.end(), '\n'), 20);
    const Outcome finished = run_command(import);
    EXPECT_EQ(finished.code, 0) << finished.err;
    EXPECT_THAT(finished.err, HasSubstr("trajectories=40"));
    EXPECT_EQ(run_command({"trajectories", "export", "--store", out, "--output", "-"}).out.substr(0, sealed.out.size()),
              sealed.out);
}

TEST(FullDisk, AnOlderOutputStaysAsItWas) {
    const TemporaryFolder folder;
    const std::string texts = test_source() + "/share/texts/select.jsonl";
    const std::string output = folder.file("i.jsonl", "older");
    {
        const FileLimit limit(100'000);
        EXPECT_EQ(failure_of({"constraints", "--texts", texts, "--count", "400", "--output", output, "--overwrite"}),
                  "1: " + output + ": cannot write: File too large");
    }
    EXPECT_EQ(read_file(output), "older");
    EXPECT_EQ(folder.count(), 1u) << "no half-written file stays";
}

TEST(FullDisk, ATokenizerIsWholeOrNotThere) {
    const TemporaryFolder folder;
    const std::string texts = test_source() + "/share/texts/select.jsonl";
    const std::string out = (folder.path() / "out").string();
    const std::vector<std::string> train = {"tokenizer", "train", "--texts", texts, "--vocab-size", "1500", "--out", out};
    {
        const FileLimit limit(8'000);
        EXPECT_EQ(failure_of(train), "1: " + out + "/tokenizer.model: cannot write: File too large");
    }
    EXPECT_FALSE(fs::exists(out + "/tokenizer.model"));
    EXPECT_EQ(run_command(train).code, 0) << "the same command goes on when there is room";
    EXPECT_TRUE(fs::exists(out + "/tokenizer.model"));
}

TEST(FullDisk, AMergedModelIsWholeOrNotThere) {
    const TemporaryFolder folder;
    const std::string adapter = (folder.path() / "adapter").string(), out = (folder.path() / "out").string();
    Decoder decoder = Decoder::load(test::tiny_model(), at::kFloat, at::kCPU);
    Rng rng(1, "full disk");
    decoder.add_adapter({.rank = 2, .targets = {"q_proj"}}, rng);
    decoder.save_adapter(adapter);
    const std::vector<std::string> merge = {"export", "--model", test::tiny_model(), "--adapter", adapter, "--merge",
                                            "--out",  out};
    {
        const FileLimit limit(100'000);
        EXPECT_THAT(failure_of(merge), HasSubstr("model.safetensors: cannot write: File too large"));
    }
    EXPECT_FALSE(fs::exists(out + "/model.safetensors"));
    EXPECT_EQ(run_command(merge).code, 0) << "the same command works when there is room";
    EXPECT_TRUE(fs::exists(out + "/model.safetensors"));
}

}  // namespace
}  // namespace craft
