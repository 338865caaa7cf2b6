#include "data/constraints/adherence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace craft {
namespace {

using testing::ElementsAre;

Instruction instruction_with(std::vector<std::vector<ToolCall>> gold) {
    Instruction instruction;
    instruction.gold = std::move(gold);
    return instruction;
}

TEST(ConstraintAdherence, ARangeCountsOnce) {
    const auto instruction =
        instruction_with({{WordCountCheck{6, Relation::less_than}, WordCountCheck{2, Relation::more_than}},
                          {SentenceCountCheck{2, Relation::equal}},
                          {SentenceCountCheck{1, Relation::equal}}});
    const MeasuredText original("One. Two."), revision("Just one here.");  // four tokens, one sentence
    const Adherence strict = constraint_adherence(instruction, original, revision);
    EXPECT_THAT(strict.met, ElementsAre(true, false, true));
    EXPECT_EQ(strict.results.size(), 4u);
    EXPECT_DOUBLE_EQ(*strict.s_c, 2.0 / 3);
    const Adherence published = constraint_adherence(instruction, original, revision, Scoring::published);
    EXPECT_THAT(published.met, ElementsAre(false, false, true));
}

TEST(ConstraintAdherence, HalfARangeIsNotMet) {
    const auto instruction =
        instruction_with({{WordCountCheck{6, Relation::less_than}, WordCountCheck{4, Relation::more_than}}});
    EXPECT_THAT(constraint_adherence(instruction, MeasuredText("One."), MeasuredText("Just one here.")).met,
                ElementsAre(false));
}

TEST(ConstraintAdherence, WithoutConstraintsThereIsNoScore) {
    EXPECT_FALSE(constraint_adherence(instruction_with({}), MeasuredText("One."), MeasuredText("Two.")).s_c);
}

TEST(ConstraintAdherence, SentencesTouchedBesidesStandApart) {
    const auto instruction = instruction_with({{SentenceModificationCheck{{1}, true}}});
    const MeasuredText original("One. Two. Three.");
    const Adherence touched = constraint_adherence(instruction, original, MeasuredText("Uno. Dos. Three."));
    EXPECT_DOUBLE_EQ(*touched.s_c, 1);
    EXPECT_EQ(touched.touched_besides, 1);
    EXPECT_EQ(touched.only_kept(), false);
    const auto keep = instruction_with({{SentenceModificationCheck{{1}, false}}});
    EXPECT_FALSE(constraint_adherence(keep, original, MeasuredText("One.")).touched_besides) << "nothing is to be changed";
    EXPECT_FALSE(constraint_adherence(keep, original, MeasuredText("One.")).only_kept());
    const Adherence kept = constraint_adherence(instruction, original, MeasuredText("Uno. Two. Three."));
    EXPECT_EQ(kept.touched_besides, 0);
    EXPECT_EQ(kept.only_kept(), true);
}

}  // namespace
}  // namespace craft
