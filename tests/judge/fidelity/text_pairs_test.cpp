#include "judge/fidelity/text_pairs.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(TextPairs, JoinByIdInTheOrderOfTheOriginals) {
    const TextPairs found = pair_texts({{"a", "1"}, {"b", "2"}, {"c", ""}}, {{"c", "x"}, {"a", ""}});
    ASSERT_EQ(found.pairs.size(), 2u);
    EXPECT_EQ(found.pairs[0].id, "a");
    EXPECT_EQ(found.pairs[0].revision, "");
    EXPECT_EQ(found.pairs[1].original, "");
    EXPECT_EQ(found.missing, 1);
    EXPECT_EQ(empty_revisions(found), 1);
    EXPECT_EQ(message_of([] {
                  pair_texts({{"a", "1", "i:1"}}, {{"b", "1", "o:1"}});
              }),
              "o:1: expected an id of the items, got 'b' (do both files belong together?)");
    EXPECT_EQ(message_of([] {
                  pair_texts({{"a", "1", "i:1"}}, {{"a", "1", "o:1"}, {"a", "2", "o:2"}});
              }),
              "o:2: expected one output per item, got 'a' again");
}

}  // namespace
}  // namespace craft
