// The generator where texts do not allow what is asked for: other texts, other shapes, other sub-types, and what is dropped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/data/constraints/made_instructions.h"

namespace craft {
namespace {

using test::Made;
using test::make;
using test::sub_type_shares;
using testing::HasSubstr;

TEST(GeneratorTexts, CountsWhatItDropsByReason) {
    const std::vector<SourceText> one_sentence = {{"a", "The lantern follows the quiet river behind the garden.", ""}};
    const Made short_texts = make({.domains = {1}, .count = 10, .mix = {1, 0, 0, 0, 0, 0, 0, 0}}, one_sentence);
    EXPECT_EQ(short_texts.instructions.size(), 0u);
    EXPECT_EQ(short_texts.dropped(), 10);
    EXPECT_THAT(short_texts.report.dropped.begin()->first,
                HasSubstr("no text yields the requested constraints: too few sentences for keep_"));

    const Made unrevised = make({.domains = {0, 1}, .count = 10}, toy_texts(3), [](const std::string&, Rng&) { return ""; });
    EXPECT_EQ(unrevised.instructions.size(), 5u);
    EXPECT_THAT(
        unrevised.report.dropped,
        testing::ElementsAre(testing::Pair("no text yields the requested constraints: the text could not be revised", 5)));
}

// Only one text of thirty has the sentences that are asked for: it is found before anything is dropped.
TEST(GeneratorTexts, LooksForATextThatGivesTheShapes) {
    std::vector<SourceText> texts;
    for (int i = 0; i < 29; ++i)
        texts.push_back({"s" + std::to_string(i), "The lantern follows the river " + std::to_string(i) + ".", ""});
    texts.push_back(toy_texts(1)[0]);
    const Made made = make({.domains = {1}, .count = 40, .mix = {1, 0, 0, 0, 0, 0, 0, 0}}, texts);
    EXPECT_EQ(made.dropped(), 0);
    EXPECT_GT(std::count_if(made.instructions.begin(), made.instructions.end(),
                            [&](const auto& i) { return i.text == texts.back().text; }),
              25);
}

// The only text with sentences enough for many shapes cannot be revised. The others serve the rest, and the shapes that they
// cannot serve cost no instruction.
TEST(GeneratorTexts, ATextThatCannotBeRevisedStarvesNoOther) {
    std::vector<SourceText> texts = {{"bad", "Stop! ! ! ! ! ! ! !", ""}};
    for (int i = 0; i < 20; ++i)
        texts.push_back(
            {"s" + std::to_string(i), "The farmer planted " + std::to_string(i) + " trees near the wide river bank.", ""});
    int64_t asked = 0;
    const auto revise = [&](const std::string& text, Rng& rng) {
        if (!text.starts_with("Stop")) return toy_revision(text, rng);
        ++asked;
        return std::string();
    };
    const Made made = make({.domains = {1, 2, 3}, .count = 300, .seed = 4}, texts, revise);
    EXPECT_EQ(made.dropped(), 0);
    EXPECT_LE(asked, 2 * 12) << "two draws of twelve revisions, then it is left alone";
}

// Nine texts in ten have one sentence, which allows no kept sentence and one changed one.
TEST(GeneratorTexts, TheMixHoldsWhereFewTextsAllowAShape) {
    std::vector<SourceText> texts = toy_texts(10);
    for (int i = 0; i < 90; ++i) {
        Rng rng(4, "one sentence", static_cast<uint64_t>(i));
        texts.push_back({"s" + std::to_string(i), toy_sentence(9, rng), ""});
    }
    const Made made = make({.domains = {1, 2, 3, 4}, .count = 400, .seed = 1}, texts);
    EXPECT_EQ(made.report.constraints, 1000);
    EXPECT_EQ(made.dropped(), 0);
    const auto shares = sub_type_shares(made.report);
    for (size_t i = 0; i < kSubTypes; ++i) EXPECT_NEAR(shares[i], 0.125, 0.02) << sub_type_name(static_cast<SubType>(i));
}

// With three sentences, three can be changed but not kept: the other two shapes of the sub-type take turns.
TEST(GeneratorTexts, OtherShapesOfTheSubTypeStandIn) {
    std::vector<SourceText> texts;
    for (uint64_t i = 0; i < 80; ++i) {
        Rng rng(5, "three sentences", i);
        texts.push_back(
            {"t" + std::to_string(i), toy_sentence(6, rng) + " " + toy_sentence(7, rng) + " " + toy_sentence(8, rng), ""});
    }
    const Made made = make({.domains = {1}, .count = 60, .mix = {1, 0, 0, 0, 0, 0, 0, 0}}, texts);
    EXPECT_EQ(made.dropped(), 0);
    EXPECT_EQ(made.report.shapes.size(), 2u);
    EXPECT_NEAR(static_cast<double>(made.report.shapes.at("keep_one")), 30, 1);
    EXPECT_GT(made.report.redrawn.at("too few sentences for keep_three"), 0);
}

// A reviser that changes nothing removes no word: asking for it in each of 400 instructions would cost 400 x 60 texts x 12
// revisions.
TEST(GeneratorTexts, AShapeThatAllTextsRefuseRests) {
    int64_t revisions = 0;
    const auto unchanged = [&](const std::string& text, Rng&) {
        ++revisions;
        return text;
    };
    const Made made = make({.domains = {1}, .count = 400, .mix = {0, 0, 1, 0, 0, 0, 1, 0}}, toy_texts(80), unchanged);
    EXPECT_EQ(made.dropped(), 0);
    EXPECT_LT(revisions, 60'000);
    EXPECT_GE(made.report.redrawn.at("rests: keyword_remove"), 3);
}

// A sub-type that no text allows costs no instruction: the others share its part.
TEST(GeneratorTexts, ASubTypeThatNoTextAllowsIsLeftOut) {
    const std::vector<SourceText> one_sentence = {{"a", "The lantern follows the quiet river behind the garden.", ""}};
    const Made made = make({.domains = {0, 1, 2}, .count = 120}, one_sentence);
    EXPECT_EQ(made.dropped(), 0);
    EXPECT_EQ(made.report.constraints, 120);
    const auto shares = sub_type_shares(made.report);
    EXPECT_EQ(shares[static_cast<size_t>(SubType::keep_sentence)], 0);
    for (size_t i = 1; i < kSubTypes; ++i) EXPECT_NEAR(shares[i], 1.0 / 7, 0.03) << sub_type_name(static_cast<SubType>(i));
}

}  // namespace
}  // namespace craft
