#include "eval/editeval/wafer_text.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::string article(const std::string& text, const std::string& section = "Section::::History.") {
    return "Hill Farm [SEP] " + section + " [SEP] " + text;
}

TEST(WaferText, TheClaimIsTakenOutAndPutBack) {
    const WaferText made = wafer_text(article("The farm lies on a hill. It was sold in 1902.[CIT] Its barn is of "
                                              "stone.\nSection::::Today.\nIt is a hotel now."),
                                      "It was sold in 1902.");
    EXPECT_EQ(made.title, "Hill Farm");
    EXPECT_EQ(made.source,
              "== History ==\n The farm lies on a hill. Its barn is of stone.\n == Today ==\n It is a hotel now.\n");
    EXPECT_EQ(
        made.target,
        "== History ==\n The farm lies on a hill. It was sold in 1902. Its barn is of stone.\n == Today ==\n It is a hotel "
        "now.\n");
}

TEST(WaferText, HeadingsWithinHeadings) {
    const WaferText made = wafer_text(article("A fact.[CIT] More.", "Section::::Life.:Youth."), "A fact.");
    EXPECT_EQ(made.source, "== Life ==\n === Youth ===\n More.\n");
}

TEST(WaferText, Bullets) {
    const WaferText made =
        wafer_text(article("The wall.\nBULLET::::- It is high. [CIT]\nBULLET::::- It has gates."), "It is high.");
    EXPECT_EQ(made.source, "== History ==\n The wall.\n * It has gates.\n");
    EXPECT_EQ(made.target, "== History ==\n The wall.\n * It is high.\n * It has gates.\n");
}

TEST(WaferText, AHeadingThatTheTextRepeatsAndAbstractAreLeftOut) {
    EXPECT_EQ(wafer_text(article("Section::::History.\nA fact.[CIT] More."), "A fact.").source, "== History ==\n More.\n");
    EXPECT_EQ(wafer_text(article("A fact.[CIT] More.", "Section::::Abstract."), "A fact.").source, "More.\n");
}

TEST(WaferText, ABulletMayBeCutAndMaySayAbstract) {
    EXPECT_EQ(wafer_text(article("BULLET::::- ended there. A start.\nA fact.[CIT] More.", "Section::::Abstract."), "A fact.")
                  .source,
              "* A start.\n More.\n");
    EXPECT_EQ(wafer_text(article("A fact.[CIT] More.\nBULLET::::- Abstract\nAbstract\nThe end."), "A fact.").source,
              "== History ==\n More.\n * Abstract\n The end.\n");
}

TEST(WaferText, SentencesThatWereCutAreLeftOut) {
    // The first paragraph begins within a sentence; the last one ends within one.
    const WaferText made =
        wafer_text(article("ended there. A start.\nA fact.[CIT] More.\nA last one. It then went on", "Section::::Abstract."),
                   "A fact.");
    EXPECT_EQ(made.source, "A start.\n More.\n A last one.\n");
}

TEST(WaferText, AClaimOverALineBreakAndOneThatIsNotThere) {
    EXPECT_EQ(wafer_text(article("It was\nsold. More."), "It was\nsold.").source, "== History ==\n More.\n");
    const WaferText behind = wafer_text(article("The farm.\nIt is old."), "Nobody knows.");
    EXPECT_EQ(behind.source, "== History ==\n The farm.\nIt is old.");
    EXPECT_EQ(behind.target, "== History ==\n The farm.\nIt is old. Nobody knows.\n");
}

TEST(WaferText, Reasons) {
    EXPECT_EQ(message_of([] { wafer_text("A [SEP] B", "c"); }), "a text that is not of three parts");
    EXPECT_EQ(message_of([] { wafer_text(article("x"), " [CIT] "); }), "an empty claim");
    EXPECT_EQ(message_of([] { wafer_text("T [SEP] History [SEP] x", "x"); }), "a section without its mark");
    EXPECT_EQ(message_of([] { wafer_text(article("A Section::::B\nx"), "x"); }), "a heading within a paragraph");
    EXPECT_EQ(message_of([] { wafer_text(article("A fact.[CIT]", "Section::::Abstract."), "A fact."); }), "an empty text");
}

}  // namespace
}  // namespace craft
