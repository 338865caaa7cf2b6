// "Only change": which sentences a revision changed, and the text in which it changes some of them alone.
#include "data/constraints/named_sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "data/constraints/values.h"
#include "tests/data/constraints/toy_texts.h"
#include "tools/craft/check.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> parts_of(const std::string& original, const std::string& revision) {
    std::vector<std::string> out;
    for (const ChangedPart& part : changed_parts(original, revision, SentenceRule::paper)) {
        std::string ids;
        for (const int64_t id : part.ids) ids += std::to_string(id) + " ";
        out.push_back(ids + "-> " + std::to_string(part.sentences) + ": " + part.text);
    }
    return out;
}

const std::string kText =
    "The old river floods the meadow. Nobody crosses the bridge today. Our painter repairs the wooden garden gate. The "
    "captain waits.";

TEST(ChangedParts, RewordedSplitAndJoinedSentencesAreMatched) {
    EXPECT_THAT(parts_of(kText, kText), IsEmpty());
    EXPECT_THAT(parts_of(kText,
                         "The old river floods the wide meadow. Nobody crosses the bridge today. Our painter repairs the "
                         "gate. It is a wooden garden gate. The captain waits."),
                ElementsAre("1 -> 1: The old river floods the wide meadow.",
                            "3 -> 2: Our painter repairs the gate. It is a wooden garden gate."));
    EXPECT_THAT(parts_of(kText,
                         "The old river floods the meadow, and nobody crosses the bridge today. Our painter repairs "
                         "the wooden garden gate. The captain waits."),
                ElementsAre("1 2 -> 1: The old river floods the meadow, and nobody crosses the bridge today."));
}

TEST(ChangedParts, WhatIsNewOrGoneOrInOtherWordsIsInNone) {
    EXPECT_THAT(parts_of(kText,
                         "Nobody crosses the bridge today. Our painter repairs the wooden garden gate. Rain fell. The "
                         "captain waits."),
                IsEmpty());
    EXPECT_THAT(parts_of(kText,
                         "Spring water covers every field. Nobody crosses the bridge today. Our painter repairs the "
                         "wooden garden gate. The captain waits."),
                IsEmpty());
    EXPECT_THAT(parts_of("", kText), IsEmpty());
    EXPECT_THAT(parts_of(kText, ""), IsEmpty());
}

std::optional<std::string> narrowed(Shape modify, const std::string& original, const std::string& revision,
                                    const std::vector<Shape>& shapes = {}, uint64_t seed = 0) {
    Rng rng(seed, "narrowed");
    return narrowed_revision(modify, shapes, MeasuredText(original), revision, SentenceRule::paper, Split::all, rng);
}

TEST(NarrowedRevision, HoldsTheTextItselfOutsideTheNamedSentences) {
    // "!" with a newline after it ends no sentence: the bird and the dog are one.
    const std::string original = "A tall tree grows.  A small bird sings!\nAn old dog sleeps. The grey cat hunts mice.";
    const std::string revision = "A tall old tree grows. A small bird sings! An old dog sleeps. The grey cat hunts.";
    std::set<std::string> proofs;
    for (uint64_t seed = 0; seed < 30; ++seed) proofs.insert(*narrowed(Shape::modify_one, original, revision, {}, seed));
    EXPECT_THAT(proofs, testing::UnorderedElementsAre(
                            "A tall old tree grows.  A small bird sings!\nAn old dog sleeps. The grey cat hunts mice.",
                            "A tall tree grows.  A small bird sings! An old dog sleeps. The grey cat hunts mice.",
                            "A tall tree grows.  A small bird sings!\nAn old dog sleeps. The grey cat hunts."));
    EXPECT_FALSE(narrowed(Shape::modify_three, "One bird sings. Two dogs bark.", "One bird sings loudly. Two dogs bark."));
    EXPECT_FALSE(narrowed(Shape::modify_one, original, original));
}

TEST(NarrowedRevision, NamesJoinedSentencesTogether) {
    const std::string revision =
        "The old river floods the meadow, and nobody crosses the bridge today. Our painter repairs the wooden garden gate. "
        "The "
        "captain waits.";
    EXPECT_FALSE(narrowed(Shape::modify_one, kText, revision));
    EXPECT_EQ(narrowed(Shape::modify_two, kText, revision), revision);
}

// Where all sentences must be shorter than the longest, another one is of no use.
TEST(NarrowedRevision, PrefersSentencesThatAllowWhatElseIsAsked) {
    const std::string original =
        "The river rises slowly. The captain of the small grey boat waits for the morning tide. The market opens early.";
    const std::string revision = "The river rises. The captain of the boat waits for the morning tide. The market opens.";
    int longest = 0;
    for (uint64_t seed = 0; seed < 60; ++seed)
        longest +=
            narrowed(Shape::modify_one, original, revision, {Shape::length_less}, seed)->find("grey") == std::string::npos
                ? 1
                : 0;
    EXPECT_GE(longest, 40);
    EXPECT_LT(longest, 60) << "others are named, too";
}

TEST(NarrowedRevision, NoOtherSentenceIsTouchedWhateverTheRevisionDoes) {
    int64_t made = 0;
    for (const SourceText& source : toy_texts(60))
        for (uint64_t seed = 0; seed < 5; ++seed) {
            Rng rng(seed, "toy", stable_hash(source.id));
            const std::string revision = toy_revision(source.text, rng);
            for (const Shape shape : {Shape::modify_one, Shape::modify_two, Shape::modify_three}) {
                const MeasuredText original(source.text);
                const auto proof = narrowed_revision(shape, {}, original, revision, SentenceRule::paper, Split::train, rng);
                if (!proof) continue;
                ++made;
                const MeasuredText revised(*proof);
                std::vector<int64_t> changed;
                for (int64_t id = 1; id <= static_cast<int64_t>(original.sentences().size()); ++id)
                    if (check(SentenceModificationCheck{{id}, true}, original, revised).met) changed.push_back(id);
                EXPECT_LE(changed.size(), sentences_named(shape)) << source.text << "\n" << *proof;
                EXPECT_TRUE(keeps_all_but(changed, original, revised) || changed.size() < sentences_named(shape));
            }
        }
    EXPECT_GT(made, 400);
}

TEST(KeepsAllBut, OthersStandWholeAndInTheirOrder) {
    const MeasuredText original("One is. Two are. Three be.");
    const auto keeps = [&](const std::string& revision) { return keeps_all_but({2}, original, MeasuredText(revision)); };
    EXPECT_TRUE(keeps("One is. Two were. Then more. Three be."));
    EXPECT_TRUE(keeps("One is. Three be."));
    EXPECT_FALSE(keeps("One is, two are. Three be."));
    EXPECT_FALSE(keeps("Three be. Two were. One is."));
    EXPECT_FALSE(keeps("One is. Two were, three be."));
}

}  // namespace
}  // namespace craft
