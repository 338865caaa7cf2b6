#include "core/error.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(Error, SaysWhereExpectedGotAndHint) {
    EXPECT_STREQ(Error("a.json", "a number", "'x'", "see --help").what(), "a.json: expected a number, got 'x' (see --help)");
    EXPECT_STREQ(Error("", "a number").what(), "expected a number");
    EXPECT_STREQ(Error("disk full").what(), "disk full");
}

TEST(Error, UsageErrorKeepsAllProblems) {
    const UsageError error(std::vector<std::string>{"first", "second"});
    EXPECT_EQ(error.problems().size(), 2u);
    EXPECT_STREQ(error.what(), "first\nsecond");
}

TEST(Error, NearestNameIsNearOrNone) {
    const std::vector<std::string> known = {"simpo", "craft", "cpo", "arpo_simpo"};
    EXPECT_EQ(nearest_name("simop", known), "simpo");
    EXPECT_EQ(nearest_name("craf", known), "craft");
    EXPECT_EQ(nearest_name("arpo-simpo", known), "arpo_simpo");
    EXPECT_EQ(nearest_name("completely else", known), "");
    EXPECT_EQ(nearest_name("xy", known), "") << "replacing every letter is not near";
}

TEST(Error, UnknownNamesListTheKnownOnes) {
    try {
        throw_unknown("loss", "simop", {"simpo", "craft"});
    } catch (const UsageError& error) {
        EXPECT_STREQ(error.what(), "unknown loss 'simop'; known: simpo, craft; did you mean 'simpo'?");
    }
}

}  // namespace
}  // namespace craft
