#include "judge/verdicts/principles/lemma_alignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/english/english_model.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

WordAlignment aligned(const std::string& source, const std::string& candidate) {
    static const LazyEnglishPipeline english(test::installed_english_model());
    return lemma_alignment(source, candidate, english);
}

TEST(LemmaAlignment, AWordInAnothersPlaceStandsForIt) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const WordAlignment made = aligned("The pilot utilised two Charts.", "The pilot used two charts.");
    EXPECT_THAT(made.source, ElementsAre("the", "pilot", "utilised", "two", "charts."));
    EXPECT_THAT(made.candidate, ElementsAre("the", "pilot", "used", "two", "charts."));
    EXPECT_THAT(made.links, ElementsAre(Pair(0, 0), Pair(1, 1), Pair(2, 2), Pair(3, 3), Pair(4, 4)));
    EXPECT_THAT(made.similarity, IsEmpty());
    EXPECT_EQ(made.problem, "");
}

TEST(LemmaAlignment, ADeletedWordStandsForNothing) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    EXPECT_THAT(aligned("She swiftly closed the gate.", "She closed the gate.").links,
                ElementsAre(Pair(0, 0), Pair(2, 1), Pair(3, 2), Pair(4, 3)));
}

TEST(LemmaAlignment, FormsOfALemmaAreLinkedWhereverTheyStand) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    EXPECT_THAT(aligned("After dinner the boys sang.", "The boys sing after dinner.").links,
                ElementsAre(Pair(0, 3), Pair(1, 4), Pair(2, 0), Pair(3, 1), Pair(4, 2)));
}

TEST(LemmaAlignment, SeveralWordsShareOnePlace) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    EXPECT_THAT(aligned("Sailors utilised maps.", "Sailors made good use of maps.").links,
                ElementsAre(Pair(0, 0), Pair(1, 1), Pair(1, 2), Pair(1, 3), Pair(2, 5)));
}

TEST(LemmaAlignment, OfAnEmptyTextThereIsNoLink) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    EXPECT_THAT(aligned("Sailors sang.", "").links, IsEmpty());
}

}  // namespace
}  // namespace craft
