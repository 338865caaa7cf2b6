#include "simplify/run/row_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/files.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RowParts : public testing::Test {
protected:
    // Rows are the items' numbers, twice; `fails_at` is the part that throws.
    std::vector<Json> rows(size_t count, size_t fails_at = 100) {
        begun_.clear();
        return rows_in_parts(folder_.path() / "stage", "rows.jsonl", count, 2,
                             [&](size_t begin, size_t end) {
                                 begun_.push_back(begin);
                                 if (begin == fails_at) throw std::runtime_error("killed");
                                 std::vector<Json> made;
                                 for (size_t i = begin; i < end; ++i) made.insert(made.end(), 2, Json{{"i", i}});
                                 return made;
                             })
            .rows;
    }
    TemporaryFolder folder_;
    std::vector<size_t> begun_;
};

TEST_F(RowParts, AreMadeInOrderAndOnce) {
    const std::vector<Json> made = rows(3);
    EXPECT_THAT(made,
                ElementsAre(Json{{"i", 0}}, Json{{"i", 0}}, Json{{"i", 1}}, Json{{"i", 1}}, Json{{"i", 2}}, Json{{"i", 2}}));
    EXPECT_THAT(begun_, ElementsAre(0, 2));
    EXPECT_EQ(rows(3), made);
    EXPECT_THAT(begun_, IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "stage" / "parts"));
}

TEST_F(RowParts, GoOnBehindThePartsThatWereKept) {
    EXPECT_THROW(rows(6, 2), std::runtime_error);
    EXPECT_THAT(begun_, ElementsAre(0, 2));
    EXPECT_EQ(rows(6).size(), 12u);
    EXPECT_THAT(begun_, ElementsAre(2, 4));
}

TEST_F(RowParts, OfNothingAreNone) {
    EXPECT_THAT(rows(0), IsEmpty());
    EXPECT_THAT(rows(0), IsEmpty());
}

TEST_F(RowParts, ThatWereLostAreAnError) {
    rows(3);
    write_file_atomic(folder_.path() / "stage" / "rows.jsonl", "{\"i\":0}\n");
    EXPECT_THAT(message_of([&] { rows(3); }), HasSubstr("expected 6 rows, as complete.json beside it says, got 1"));
}

}  // namespace
}  // namespace craft
