#include "english/msgpack.h"

#include <gmock/gmock.h>

#include "tests/english/error_text.h"
#include "tests/english/msgpack_bytes.h"

namespace craft {
namespace {

using test::error_text;
using ::testing::HasSubstr;
using Kind = MsgpackValue::Kind;

std::string refusal(const std::string& document) {
    return error_text([&] { parse_msgpack(document, "file"); });
}

TEST(Msgpack, ReadsEachKindOfNumber) {
    // The format's own forms: small ones in the byte itself, others with a type before them.
    const std::vector<std::pair<std::string, int64_t>> numbers = {{"\x05", 5},
                                                                  {"\xFF", -1},
                                                                  {"\xE0", -32},
                                                                  {std::string("\xCC\xFF"), 255},
                                                                  {std::string("\xCD\x01\x00", 3), 256},
                                                                  {std::string("\xCE\x00\x01\x00\x00", 5), 65536},
                                                                  {std::string("\xD0\x80"), -128},
                                                                  {std::string("\xD1\xFF\x00", 3), -256},
                                                                  {std::string("\xD2\xFF\xFF\xFF\xFE"), -2},
                                                                  {"\xD3" + std::string(8, '\xFF'), -1}};
    for (const auto& [document, expected] : numbers) {
        const MsgpackValue value = parse_msgpack(document, "file");
        EXPECT_EQ(value.kind, Kind::integer);
        EXPECT_EQ(static_cast<int64_t>(value.integer), expected);
        EXPECT_EQ(value.negative, expected < 0) << expected;
    }
    EXPECT_EQ(parse_msgpack(std::string("\xCA\x3F\xC0\x00\x00", 5), "file").real, 1.5);
    EXPECT_EQ(parse_msgpack(std::string("\xCB\x40\x04\x00\x00\x00\x00\x00\x00", 9), "file").real, 2.5);
}

TEST(Msgpack, ReadsMapsWhoseKeysAreNumbersOrBytes) {
    const std::string document = test::pack_pairs({{test::pack_number(65), test::pack("a")},
                                                   {test::pack_bytes("nd"), test::pack_bool(true)},
                                                   {test::pack("list"), test::pack_texts({"x", "y"})}});
    const MsgpackValue value = parse_msgpack(document, "file");
    ASSERT_EQ(value.items.size(), 6U);
    EXPECT_EQ(value.items[0].integer, 65U);
    EXPECT_EQ(value.items[1].text, "a");
    ASSERT_NE(value.find("nd"), nullptr);
    EXPECT_TRUE(value.find("nd")->boolean);
    EXPECT_EQ(value.find("list")->items[1].text, "y");
    EXPECT_EQ(value.find("other"), nullptr);
    EXPECT_EQ(value.items[1].find("nd"), nullptr);
}

TEST(Msgpack, RefusesWhatIsNotOneValue) {
    EXPECT_THAT(refusal(""), HasSubstr("file: byte 0: expected 1 bytes, got the file's end"));
    EXPECT_THAT(refusal("\xA5h"), HasSubstr("expected a string of 5 bytes"));
    EXPECT_THAT(refusal("\x01\x01"), HasSubstr("expected its end, got 1 bytes more"));
    EXPECT_THAT(refusal("\xA1\xFF"), HasSubstr("text in UTF-8"));
    EXPECT_THAT(refusal("\xC7\x01\x01x"), HasSubstr("got type 199"));
    EXPECT_THAT(refusal("\xC1"), HasSubstr("got type 193"));
    EXPECT_THAT(refusal("\xDD\xFF\xFF\xFF\xFF"), HasSubstr("expected 4294967295 values"));
    EXPECT_THAT(refusal("\xDF\xFF\xFF\xFF\xFF"), HasSubstr("expected 8589934590 values"));
}

TEST(Msgpack, RefusesDeepNesting) {
    const auto nested = [](size_t depth) { return std::string(depth, '\x91') + "\x01"; };
    EXPECT_EQ(refusal(nested(32)), "");
    EXPECT_THAT(refusal(nested(33)), HasSubstr("at most 32"));
    EXPECT_THAT(refusal(std::string(1'000'000, '\x91')), HasSubstr("at most 32"));
}

}  // namespace
}  // namespace craft
