#include "judge/verdicts/pairwise_items.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(PairwiseItems, AreThoseWithBothRevisionsById) {
    const std::vector<RevisedText> texts = {{"2", "two"}, {"1", "one"}, {"3", "three"}, {"4", "four"}};
    const PairwiseItems joined = join_revisions(pair_texts(texts, {{"3", "a3"}, {"1", "a1"}, {"2", ""}}),
                                                pair_texts(texts, {{"1", "b1"}, {"2", "b2"}}));
    ASSERT_EQ(joined.items.size(), 2u);
    EXPECT_EQ(joined.items[0].id, "1");
    EXPECT_EQ(joined.items[0].source, "one");
    EXPECT_EQ(joined.items[0].a, "a1");
    EXPECT_EQ(joined.items[0].b, "b1");
    EXPECT_EQ(joined.items[1].a, "");
    EXPECT_EQ(joined.missing_a, 1);
    EXPECT_EQ(joined.missing_b, 2);
    EXPECT_EQ(joined.missing, 2) << "3 and 4";
    EXPECT_EQ(joined.empty_a, 1);
    EXPECT_EQ(joined.empty_b, 0);
    EXPECT_EQ(message_of([&] {
                  join_revisions(pair_texts(texts, {{"1", "a"}}), pair_texts(texts, {{"2", "b"}}));
              }),
              "texts with revisions on both sides: expected at least one, got none of 4");
}

}  // namespace
}  // namespace craft
