#include "core/id_set.h"

#include <gtest/gtest.h>

#include <string>

namespace craft {
namespace {

TEST(IdSet, KnowsWhatWasInserted) {
    IdSet ids;
    EXPECT_TRUE(ids.insert(""));
    EXPECT_FALSE(ids.insert(""));
    for (int i = 0; i < 1000; ++i) EXPECT_TRUE(ids.insert(std::to_string(i)));
    for (int i = 0; i < 1000; ++i) EXPECT_FALSE(ids.insert(std::to_string(i))) << i;
    EXPECT_TRUE(ids.insert(std::string("1\0", 2)));
    EXPECT_EQ(ids.size(), 1002u);
}

}  // namespace
}  // namespace craft
