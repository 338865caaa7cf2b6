#include "metrics/bertscore_baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::HasSubstr;

std::string baseline_refusal(const std::string& text, int64_t layer = 1) {
    return message_of([&] { parse_bertscore_baseline(text, layer, "b.tsv"); });
}

TEST(BertScoreBaseline, RowOfALayer) {
    const std::string text = "LAYER,P,R,F\r\n0,0.5,0.25,0.125\r\n\r\n17,0.83122575,-0.2,1e-3";
    const BertScoreBaseline row = parse_bertscore_baseline(text, 17, "b.tsv");
    EXPECT_EQ(row.precision, 0.83122575);
    EXPECT_EQ(row.recall, -0.2);
    EXPECT_EQ(row.f1, 0.001);
    EXPECT_EQ(parse_bertscore_baseline(text, 0, "b.tsv").recall, 0.25);
    const TemporaryFolder folder;
    EXPECT_EQ(read_bertscore_baseline(folder.file("b.tsv", text), 0).f1, 0.125);
}

TEST(BertScoreBaseline, WhatIsNoneIsOneLine) {
    EXPECT_EQ(baseline_refusal(""), "b.tsv: expected the heading LAYER,P,R,F, got an empty file");
    EXPECT_EQ(baseline_refusal("1,.1,.1,.1\n"), "b.tsv:1: expected the heading LAYER,P,R,F, got '1,.1,.1,.1'");
    EXPECT_EQ(baseline_refusal("LAYER,P,R,F\n"), "b.tsv: expected a row of layer 1, got no rows");
    EXPECT_EQ(baseline_refusal("LAYER,P,R,F\n0,.1,.1,.1\n9,.1,.1,.1\n"),
              "b.tsv: expected a row of layer 1, got 2 rows, the last of layer 9");
    EXPECT_EQ(baseline_refusal("LAYER,P,R,F\n1,.1,.1,.1\n1,.1,.1,.1\n"), "b.tsv:3: expected each layer once, got 1 again");
    for (const char* row : {"1,.1,.1", "1,.1,.1,.1,.1", "1,.1,.1,x", "1,.1,.1,", "-1,.1,.1,.1", "1.0,.1,.1,.1",
                            "1,nan,.1,.1", "1,.1,inf,.1", "1,.1,.1,1", "1,.1,.1, .1", "1 .1 .1 .1", " "})
        EXPECT_THAT(baseline_refusal("LAYER,P,R,F\n" + std::string(row) + "\n"),
                    HasSubstr("b.tsv:2: expected LAYER,P,R,F: a layer and three numbers below 1, got '"))
            << row;
    EXPECT_THAT(baseline_refusal(std::string("LAYER,P,R,F\n1,.1,\0,.1\n", 22)), HasSubstr("b.tsv:2: "));
}

}  // namespace
}  // namespace craft
