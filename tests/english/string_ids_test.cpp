#include "english/string_ids.h"

#include <gtest/gtest.h>

namespace craft {
namespace {

// Numbers that spaCy 3.8.18 (hash_string) and thinc 8.3.14 (NumpyOps().hash, seed 8) give.
TEST(StringIds, AreSpacys) {
    EXPECT_EQ(string_id(""), 0U);
    EXPECT_EQ(string_id("a"), 11901859001352538922U);
    EXPECT_EQ(string_id("hello"), 5983625672228268878U);
    EXPECT_EQ(string_id("apple pie"), 3572752605252688722U);
    EXPECT_EQ(string_id("étude"), 9168378136254602260U);
    EXPECT_EQ(string_id("0123456789abcdef"), 9273136708479707038U);
}

TEST(StringIds, OfSymbolsAreTheirNumbers) {
    EXPECT_EQ(string_id("IS_ALPHA"), 1U);
    EXPECT_EQ(string_id("FLAG19"), 19U);
    EXPECT_EQ(string_id("FLAG63"), 63U);
    EXPECT_EQ(string_id("ORTH"), 65U);
    EXPECT_EQ(string_id("NOUN"), 92U);
    EXPECT_EQ(string_id("DEPRECATED001"), 104U);
    EXPECT_EQ(string_id("PERSON"), 380U);
    EXPECT_EQ(string_id("mark"), 423U);
    EXPECT_EQ(string_id("punct"), 445U);
    EXPECT_EQ(string_id("_"), 456U);
    EXPECT_GT(string_id("FLAG64"), 456U);
    EXPECT_GT(string_id("Mark"), 456U);
}

TEST(RowHashes, AreThincs) {
    using Hashes = std::array<uint32_t, 4>;
    EXPECT_EQ(row_hashes(0, 8), (Hashes{0, 0, 0, 0}));
    EXPECT_EQ(row_hashes(1, 8), (Hashes{1161550108, 2247783286, 1742325162, 1224191281}));
    EXPECT_EQ(row_hashes(12345678901234567890U, 8), (Hashes{825681028, 3746740173, 3386005190, 3472626611}));
    EXPECT_NE(row_hashes(1, 9), row_hashes(1, 8));
}

}  // namespace
}  // namespace craft
