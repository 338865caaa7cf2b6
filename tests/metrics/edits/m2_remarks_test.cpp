#include "metrics/edits/m2_remarks.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

std::string edit(const std::string& span, const std::string& correction, int annotator) {
    return "A " + span + "|||T|||" + correction + "|||REQUIRED|||-NONE-|||" + std::to_string(annotator) + "\n";
}
const std::string kNoop = "A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||";

TEST(M2Remarks, CountRepeatedEdits) {
    const std::string text = "S a b\n" + edit("0 1", "x", 0) + edit("0 1", "x", 1) + edit("0 1", "y", 0) +
                             edit("0 2", "x", 0) + "\nS c d\n" + edit("1 1", "e", 1) + edit("1 1", " e", 1) +
                             edit("1 1", "e", 1) + kNoop + "0\n" + kNoop + "0\n";
    const M2Remark found = repeated_edits(parse_m2(text, "g.m2"));
    EXPECT_EQ(found.count, 2);
    EXPECT_EQ(found.line, 7);
    EXPECT_EQ(found.annotator, 1);
    EXPECT_EQ(repeated_edits(parse_m2("S a\n" + edit("0 1", "", 0) + edit("0 1", "-NONE-", 0), "g.m2")).count, 1);
    EXPECT_EQ(repeated_edits(parse_m2("S a\n", "g.m2")).count, 0);
}

TEST(M2Remarks, CountAnnotatorsWithoutALine) {
    const std::string text = "S a b\n" + edit("0 1", "x", 0) + kNoop + "2\n\nS c d\n" + edit("1 1", "e", 2) +
                             "\nS e\n\nS f\n" + edit("0 1", "x", 7);
    const M2Remark found = missing_annotators(parse_m2(text, "g.m2"));  // 7; 0 and 7; 0 and 2
    EXPECT_EQ(found.count, 5);
    EXPECT_EQ(found.line, 1);
    EXPECT_EQ(found.annotator, 7);
    // The usual form of files with one annotator: no line where nothing is wrong.
    EXPECT_EQ(missing_annotators(parse_m2("S a\n" + edit("0 1", "x", 0) + "\nS b\n", "g.m2")).count, 0);
}

}  // namespace
}  // namespace craft
