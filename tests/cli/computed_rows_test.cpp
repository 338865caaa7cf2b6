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
        const auto rows = [&](size_t begin, size_t end, const RowSink& done) {
            for (size_t i = begin; i < end; ++i) {
                if (i == failing) throw Error("no memory");
                computed_.push_back(i);
                done(i, {{"id", i}});
            }
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
    {
        PartialRows partial(at("out"), identity());
        for (size_t i = 0; i < 5; ++i) partial.add(i, {{"id", i}});
    }
    const std::vector<std::string> resumed = run(at("out"), 99);
    EXPECT_THAT(computed_, ElementsAre(4, 5, 6, 7, 8, 9));
    EXPECT_EQ(resumed.size(), 10u);
    EXPECT_EQ(resumed[4], "{\"id\":4}");
}

// A stop in the middle of a batch costs none of those that are done.
TEST_F(ComputedRowsTest, AreKeptOneByOne) {
    EXPECT_THROW(run(at("out"), 6), Error);
    EXPECT_THAT(computed_, ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_EQ(PartialRows(at("out"), identity()).earlier(), 6);
}

TEST_F(ComputedRowsTest, AreWrittenAtOnceWhereNothingCanBeKept) {
    EXPECT_EQ(run("/dev/null", 99).size(), 10u);
    EXPECT_THROW(run("/dev/null", 4), Error);
    EXPECT_EQ(folder_.count(), 0u);
}

TEST(Batches, OfItemsCoverAllOfThem) {
    const auto batch = batches_of_items(300);
    EXPECT_EQ(batch(0), RowBatch(0, 256));
    EXPECT_EQ(batch(256), RowBatch(256, 300));
    EXPECT_EQ(batch(7), RowBatch(7, 263)) << "from the first one without a row";
}

}  // namespace
}  // namespace craft
