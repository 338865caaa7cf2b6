#include "cli/computed_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;

RunIdentity identity() {
    RunIdentity made;
    made.command = "score";
    made.options = Json::object();
    return made;
}

class ComputedRowsTest : public testing::Test {
protected:
    // Ten rows, of which the batch that begins at `failing` cannot be computed.
    std::vector<std::string> run(const std::string& output, size_t failing) {
        computed_.clear();
        std::vector<std::string> written;
        PartialRows partial(output, identity());
        const auto rows = [&](size_t begin, size_t end) {
            if (begin == failing) throw Error("no memory");
            std::vector<Json> made;
            for (size_t i = begin; i < end; ++i) {
                computed_.push_back(i);
                made.push_back({{"id", i}});
            }
            return made;
        };
        const std::vector<int64_t> sizes(10, 7);
        make_rows({"scoring", "rows", sizes.size(), batches_by_tokens(sizes, 30), rows}, partial,
                  [&](const Json& row) { written.push_back(row.dump()); });
        partial.remove();
        return written;
    }
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    TemporaryFolder folder_;
    std::vector<size_t> computed_;
};

TEST_F(ComputedRowsTest, GoOnBehindThoseThatAreKept) {
    EXPECT_THROW(run(at("out"), 8), Error);
    EXPECT_THAT(computed_, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7)) << "four a batch";
    const std::vector<std::string> resumed = run(at("out"), 99);
    EXPECT_THAT(computed_, ElementsAre(8, 9));
    EXPECT_EQ(resumed, run(at("other"), 99));
    EXPECT_EQ(computed_.size(), 10u);
}

// Rows of a batch that was written in part are computed with those they were computed with before.
TEST_F(ComputedRowsTest, GoOnWithTheSameBatches) {
    PartialRows(at("out"), identity()).add({{{"id", 0}}, {{"id", 1}}, {{"id", 2}}, {{"id", 3}}, {{"id", 4}}});
    const std::vector<std::string> resumed = run(at("out"), 99);
    EXPECT_THAT(computed_, ElementsAre(4, 5, 6, 7, 8, 9));
    EXPECT_EQ(resumed.size(), 10u);
    EXPECT_EQ(resumed[4], "{\"id\":4}");
}

TEST_F(ComputedRowsTest, AreWrittenAtOnceWhereNothingCanBeKept) {
    EXPECT_EQ(run("/dev/null", 99).size(), 10u);
    EXPECT_THROW(run("/dev/null", 4), Error);
    EXPECT_EQ(folder_.count(), 0u);
}

TEST(GrowingBatchesTest, DoubleWhileTheyAreQuick) {
    GrowingBatches batches(100, 8, 32);
    EXPECT_EQ(batches(0), RowBatch(0, 8));
    EXPECT_EQ(batches(8), RowBatch(8, 24));
    EXPECT_EQ(batches(24), RowBatch(24, 56));
    EXPECT_EQ(batches(56), RowBatch(56, 88)) << "32 at most";
    EXPECT_EQ(batches(88), RowBatch(88, 100)) << "no more than there are";
}

}  // namespace
}  // namespace craft
