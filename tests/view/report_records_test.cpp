#include "view/report_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

// Tone 1 is a title, 2 a label, 6 what a revision added, 7 what it removed.
TEST(ReportRecords, ARecordIsOneLineOfBlocks) {
    EXPECT_EQ(record_line({{"id", "r"}, {"prompt", "a < b\nc"}}),
              R"(["completion",[[0,[[1,"completion"]," r"]],[2,[[2,"prompt:"]]],[4,["a \u003c b\nc"]]]])");
    const std::string pair = record_line({{"chosen", "yes"}, {"rejected", "no"}});
    EXPECT_THAT(pair, HasSubstr(R"([2,[[4,"chosen"],"\nyes"],[[5,"rejected"],"\nno"]])"));
    const std::string trajectory =
        record_line({{"text", "one two"}, {"messages", Json::array()}, {"steps", {{{"revision", "one three"}}}}});
    EXPECT_THAT(trajectory, HasSubstr(R"([7,"two "])"));
    EXPECT_THAT(trajectory, HasSubstr(R"([6,"three"])"));
}

TEST(ReportRecords, NothingEndsTheLineOrItsElement) {
    const std::string line = record_line({{"text", "</script>\xE2\x80\xAE\x01\xE2\x80\xA8"}});
    EXPECT_THAT(line, Not(HasSubstr("<")));
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_THAT(line, HasSubstr("\\u003c/script>\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"));
}

TEST(ReportRecords, ADamagedFileHasWhatComesBefore) {
    const TemporaryFolder folder;
    ReportRun run;
    run.name = "a&b";
    run.places = {{folder.file("x.json", "{"), "x.json"}, {folder.file("y.jsonl", "{\"id\":1}\n"), "y.jsonl"}};
    OutputFile out((folder.path() / "out").string());
    const ReportTable table = write_records({run}, 10, out);
    out.close();
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.rows[0][3], "0");
    EXPECT_THAT(table.rows[0][5], HasSubstr("x.json"));
    EXPECT_EQ(table.rows[1], (std::vector<std::string>{"y.jsonl", "a&b", "row", "1", "0", ""}));
    EXPECT_THAT(read_file(folder.path() / "out"),
                HasSubstr("data-run=\"a&amp;b\" data-file=\"y.jsonl\" data-kinds=\"row\""));
}

}  // namespace
}  // namespace craft
