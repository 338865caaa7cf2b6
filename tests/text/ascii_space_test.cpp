#include "text/ascii_space.h"

#include <gtest/gtest.h>

#include "text/code_points.h"

namespace craft {
namespace {

TEST(AsciiSpace, IsThatOfAllCodePoints) {
    for (char32_t c = 0; c < 128; ++c) EXPECT_EQ(kAsciiSpace[c], is_space(c)) << static_cast<int>(c);
}

}  // namespace
}  // namespace craft
