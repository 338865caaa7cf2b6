#include "core/id_index.h"

#include <gtest/gtest.h>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

TEST(IdIndex, KnowsEachIdOnce) {
    IdIndex index;
    index.add("a", 7, "f:1");
    index.add("", 8, "f:2");
    EXPECT_EQ(index.row_of("a", "g:1"), 7u);
    EXPECT_EQ(index.row_of("", "g:1"), 8u);
    EXPECT_EQ(message_of([&] { index.add("a", 9, "f:3"); }), "f:3: expected each id once, got 'a' again");
    EXPECT_EQ(message_of([&] { index.row_of("b", "g:2"); }),
              "g:2: expected an id of the items, got 'b' (do both files belong together?)");
}

}  // namespace
}  // namespace craft
