#include "tools/grammar/mark_rules.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

// What the rules say of sentences stands in tests/cases/marks.
TEST(MarkRules, KeepTheCaseOfAWord) {
    EXPECT_EQ(in_case_of("these", "This"), "These");
    EXPECT_EQ(in_case_of("these", "this"), "these");
    EXPECT_EQ(in_case_of("his", ""), "his");
}

}  // namespace
}  // namespace craft
