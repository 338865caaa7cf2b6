#include "core/regular_expression.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

// What Python's re.fullmatch and re.match say of the same.
TEST(RegularExpression, MatchesAsPythonDoes) {
    const RegularExpression either("q_proj|q_proj_b", "test");
    EXPECT_TRUE(either.matches_whole("q_proj_b"));  // the first alternative matches less, and is given up
    EXPECT_FALSE(either.matches_whole("xq_proj"));
    EXPECT_TRUE(either.matches_start("q_proj_c"));
    EXPECT_FALSE(either.matches_start("xq_proj"));
    EXPECT_TRUE(RegularExpression("a{,2}", "test").matches_whole("aa"));
    EXPECT_FALSE(RegularExpression("a{,2}", "test").matches_whole("aaa"));
    EXPECT_TRUE(RegularExpression("[{,2}]+\\{,2", "test").matches_whole("},{2{,2"));
    EXPECT_EQ(RegularExpression(R"(.*?\.[^.]*\.(?P<idx>\d+)\.)", "test").group("model.layers.12.mlp.3.up", "idx"), "12");
    EXPECT_EQ(RegularExpression("(?P<a>x)|y", "test").group("y", "a"), std::nullopt);
    EXPECT_EQ(RegularExpression("(?P<a>x)", "test").group("y", "a"), std::nullopt);
}

TEST(RegularExpression, RefusesWhatIsNoneAndWhatNeverEnds) {
    EXPECT_THROW(RegularExpression("(", "test"), Error);
    EXPECT_THROW(RegularExpression("*a", "test"), Error);
    EXPECT_THROW(RegularExpression(std::string(200'000, 'a'), "test"), Error);
    const RegularExpression slow("(a+)+b", "file: key");
    try {
        slow.matches_whole(std::string(60, 'a') + "c");
        SUCCEED();  // found out without trying them all
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("file: key"), std::string::npos);
    }
}

}  // namespace
}  // namespace craft
