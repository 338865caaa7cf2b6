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

TEST(IdSet, ContainsWhatWasInsertedAndAddsNothing) {
    IdSet ids;
    EXPECT_FALSE(ids.contains(""));
    ids.insert("");
    for (int i = 0; i < 500; ++i) ids.insert(std::to_string(i));
    EXPECT_TRUE(ids.contains(""));
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(ids.contains(std::to_string(i)), i < 500) << i;
    EXPECT_EQ(ids.size(), 501u);
}

}  // namespace
}  // namespace craft
