#include "text/composed.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

TEST(ComposedTexts, HaveAccentsOnTheirLetters) {
    EXPECT_EQ(composed("cafe\xCC\x81s"), "caf\xC3\xA9s");
    EXPECT_EQ(composed("caf\xC3\xA9s"), "caf\xC3\xA9s");
    EXPECT_EQ(composed("plain"), "plain");
    EXPECT_EQ(composed("e\xCC\x81\xff"), "e\xCC\x81\xff");
}

}  // namespace
}  // namespace craft
