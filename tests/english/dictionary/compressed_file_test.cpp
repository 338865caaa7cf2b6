#include "english/dictionary/compressed_file.h"

#include <gmock/gmock.h>

#include "tests/core/temporary_folder.h"
#include "tests/english/dictionary/gzip_bytes.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

TEST(CompressedFile, IsReadAsWhatWasPacked) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "line " + std::to_string(i) + "\n";
    EXPECT_EQ(decompressed(test::gzipped(text), 1 << 20, "x"), text);
    EXPECT_EQ(decompressed(test::gzipped("one ") + test::gzipped("two"), 100, "x"), "one two") << "two members";
    EXPECT_EQ(decompressed(test::gzipped(""), 100, "x"), "");
    EXPECT_EQ(decompressed("plain\n", 100, "x"), "plain\n");
    const TemporaryFolder folder;
    EXPECT_EQ(read_compressed_file(folder.file("t.gz", test::gzipped("text")), 100), "text");
}

TEST(CompressedFile, IsRefusedWhereItIsDamaged) {
    const auto refusal = [](const std::string& bytes, size_t most) {
        return message_of([&] { decompressed(bytes, most, "table.gz"); });
    };
    const std::string whole = test::gzipped(std::string(10'000, 'a') + "b");
    EXPECT_THAT(
        refusal(whole.substr(0, whole.size() - 1), 1 << 20),
        HasSubstr("table.gz: expected a file of gzip's, got one that is cut short (run scripts/setup.sh --english)"));
    std::string other = whole;
    other[other.size() - 6] ^= 1;  // the checksum
    EXPECT_THAT(refusal(other, 1 << 20), HasSubstr("got a damaged one"));
    EXPECT_THAT(refusal(whole + "x", 1 << 20), HasSubstr("expected a file of gzip's")) << "bytes behind its end";
    EXPECT_THAT(refusal(whole, 10'000), HasSubstr("expected at most 10000 bytes in it, got more"));
    EXPECT_EQ(refusal(whole, 10'001), "(nothing thrown)");
    EXPECT_THAT(refusal("plain", 4), HasSubstr("expected at most 4 bytes, got 5"));
    EXPECT_THAT(message_of([] { read_compressed_file("/nowhere/infl.csv.gz", 1); }),
                HasSubstr("/nowhere/infl.csv.gz: expected a table of English, got no such file (run scripts/setup.sh"));
}

}  // namespace
}  // namespace craft
