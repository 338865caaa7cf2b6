#include "simplify/run/stage_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/error.h"
#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class StageRows : public testing::Test {
protected:
    // Each item has its number as a row, twice; that of `fails_at` cannot be made.
    MadeRows make(size_t count, size_t fails_at = 100) {
        made_.clear();
        UnrecordedAsking asking({.items_at_once = 1});
        const auto rows = [&](size_t i) {
            if (i == fails_at) throw std::runtime_error("killed");
            made_.push_back(i);
            return Json::array({{{"i", i}}, {{"i", i}}});
        };
        return stage_rows(folder_.path() / "stage", "rows.jsonl", asked_rows("making", "rows", count, rows), asking);
    }
    TemporaryFolder folder_;
    std::vector<size_t> made_;
};

TEST_F(StageRows, AreMadeInOrderAndOnce) {
    const MadeRows made = make(2);
    EXPECT_THAT(made.rows, ElementsAre(Json{{"i", 0}}, Json{{"i", 0}}, Json{{"i", 1}}, Json{{"i", 1}}));
    EXPECT_THAT(made_, ElementsAre(0, 1));
    const MadeRows again = make(2);
    EXPECT_EQ(again.rows, made.rows);
    EXPECT_EQ(again.seconds, made.seconds);
    EXPECT_THAT(made_, IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "stage" / "rows.jsonl.partial"));
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "stage" / "seconds.json"));
}

TEST_F(StageRows, GoOnBehindThoseThatWereKept) {
    EXPECT_THROW(make(6, 3), std::runtime_error);
    EXPECT_THAT(made_, ElementsAre(0, 1, 2));
    write_json_file(folder_.path() / "stage" / "seconds.json", {{"seconds", 1000}});
    const MadeRows made = make(6);
    EXPECT_EQ(made.rows.size(), 12u);
    EXPECT_GE(made.seconds, 1000) << "those of the process that was killed count";
    EXPECT_THAT(made_, ElementsAre(3, 4, 5));
}

TEST_F(StageRows, OfNothingAreNone) {
    EXPECT_THAT(make(0).rows, IsEmpty());
    EXPECT_THAT(make(0).rows, IsEmpty());
}

TEST_F(StageRows, ThatWereLostAreAnError) {
    make(3);
    write_file_atomic(folder_.path() / "stage" / "rows.jsonl", "{\"i\":0}\n");
    EXPECT_THAT(message_of([&] { make(3); }), HasSubstr("expected 6 rows, as complete.json beside it says, got 1"));
}

}  // namespace
}  // namespace craft
