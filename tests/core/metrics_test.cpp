#include "core/metrics.h"

#include <cmath>

#include "core/error.h"
#include "core/files.h"
#include "temporary_folder.h"

namespace craft {
namespace {

class Metrics : public ::testing::Test {
protected:
    MetricsLog log(int64_t keep) { return MetricsLog(file_, folder_.path() / "tb", "train", keep); }
    std::string text() { return read_file(file_); }
    TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "metrics.jsonl";
};

TEST_F(Metrics, RowsStartWithTheirStep) {
    {
        MetricsLog written = log(-1);
        written.write(1, {{"loss", 0.5}, {"step", 99}});
        written.write(2, {{"loss", std::nan("")}});
    }
    EXPECT_EQ(text(), "{\"step\":1,\"loss\":0.5}\n{\"step\":2,\"loss\":null}\n");
}

TEST_F(Metrics, FlushReachesTheFile) {
    MetricsLog written = log(-1);
    written.write(1, {{"loss", 0.5}});
    written.flush();
    EXPECT_EQ(text(), "{\"step\":1,\"loss\":0.5}\n");
}

TEST_F(Metrics, ResumeCutsLaterStepsAndHalfWrittenLines) {
    folder_.file("metrics.jsonl",
                 "{\"step\":1}\n{\"id\":\"a\"}\n{\"step\":3}\n{\"step\":2}\n{\"step\":4}\n{\"step\":2,\"lo");
    { MetricsLog resumed = log(2); }
    EXPECT_EQ(text(), "{\"step\":1}\n{\"id\":\"a\"}\n{\"step\":2}\n");
    { log(2).write(3, {{"loss", 1}}); }
    EXPECT_EQ(text(), "{\"step\":1}\n{\"id\":\"a\"}\n{\"step\":2}\n{\"step\":3,\"loss\":1}\n");
}

TEST_F(Metrics, NothingIsRewrittenWhenNothingIsCut) {
    folder_.file("metrics.jsonl", "{ \"step\" : 1 }\n");
    { MetricsLog resumed = log(1); }
    EXPECT_EQ(text(), "{ \"step\" : 1 }\n") << "kept bytes stay as they are";
}

TEST_F(Metrics, FullDiskIsAnError) {
    std::filesystem::create_symlink("/dev/full", file_);
    std::filesystem::create_directories(folder_.path() / "tb");
    const std::string message = message_of([&] {
        MetricsLog full(file_, folder_.path() / "tb", "train", -1);
        full.write(1, {{"loss", 1}});
        full.flush();
    });
    EXPECT_EQ(message, file_.string() + ": cannot write: No space left on device");
}

}  // namespace
}  // namespace craft
