#include "model/files/safetensors_header.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "core/error.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

std::string safetensors_bytes(const std::string& header, size_t data_bytes, std::optional<uint64_t> claimed = std::nullopt) {
    std::string bytes(8, '\0');
    const uint64_t length = claimed.value_or(header.size());
    for (size_t i = 0; i < 8; ++i) bytes[i] = static_cast<char>(length >> (8 * i) & 0xff);
    return bytes + header + std::string(data_bytes, '\1');
}

SafetensorsHeader parse_header_of(const std::string& bytes) {
    return parse_safetensors_header(bytes, "x.safetensors");
}

TEST(SafetensorsHeader, SaysWhereEachTensorLies) {
    const std::string header =
        R"({"__metadata__":{"format":"pt","n":3},"b":{"dtype":"BF16","shape":[],"data_offsets":[24,26]},)"
        R"("a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},)"
        R"("none":{"dtype":"I64","shape":[0,4],"data_offsets":[24,24]}} )";
    const SafetensorsHeader read = parse_header_of(safetensors_bytes(header, 26));
    const uint64_t data = 8 + header.size();
    ASSERT_EQ(read.tensors.size(), 3u);
    const StoredTensor& a = read.tensors.at("a");
    EXPECT_EQ(a.dtype, "F32");
    EXPECT_EQ(a.shape, (std::vector<int64_t>{2, 3}));
    EXPECT_EQ(a.begin, data);
    EXPECT_EQ(a.end, data + 24);
    EXPECT_EQ(read.tensors.at("b").begin, data + 24);
    EXPECT_EQ(read.tensors.at("b").end, data + 26);
    EXPECT_EQ(read.tensors.at("none").begin, read.tensors.at("none").end);
    EXPECT_EQ(read.metadata, (std::map<std::string, std::string>{{"format", "pt"}}));
}

TEST(SafetensorsHeader, BytesOfNumbers) {
    EXPECT_EQ(safetensors_dtype_bytes("F64"), 8u);
    EXPECT_EQ(safetensors_dtype_bytes("BF16"), 2u);
    EXPECT_EQ(safetensors_dtype_bytes("BOOL"), 1u);
    EXPECT_EQ(safetensors_dtype_bytes("F8_E4M3"), 0u);
}

TEST(SafetensorsHeader, HostileBytesAreOneClearError) {
    const std::string good = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    EXPECT_NO_THROW(parse_header_of(safetensors_bytes(good, 8)));
    const std::vector<std::pair<std::string, std::string>> bad = {
        {"empty", ""},
        {"short", "abc"},
        {"truncated header", safetensors_bytes(good, 0).substr(0, 30)},
        {"truncated data", safetensors_bytes(good, 7)},
        {"bytes besides", safetensors_bytes(good, 9)},
        {"header beyond the file", safetensors_bytes(good, 8, 1 << 20)},
        {"huge header", safetensors_bytes(good, 8, ~uint64_t{0})},
        {"not JSON", safetensors_bytes("{nonsense", 8)},
        {"not an object", safetensors_bytes("[1,2]", 8)},
        {"deep nesting", safetensors_bytes(std::string(200000, '['), 0)},
        {"no dtype", safetensors_bytes(R"({"a":{"shape":[2],"data_offsets":[0,8]}})", 8)},
        {"unknown dtype", safetensors_bytes(R"({"a":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})", 8)},
        {"negative size", safetensors_bytes(R"({"a":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8)},
        {"fraction", safetensors_bytes(R"({"a":{"dtype":"F32","shape":[2.0],"data_offsets":[0,8]}})", 8)},
        {"shape overflow",
         safetensors_bytes(R"({"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}})", 0)},
        {"shape against bytes", safetensors_bytes(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8)},
        {"huge tensor",
         safetensors_bytes(R"({"a":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,4398046511104]}})", 8)},
        {"backwards", safetensors_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8)},
        {"overlap",
         safetensors_bytes(
             R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
             12)},
        {"hole", safetensors_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12)},
        {"name twice",
         safetensors_bytes(
             R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
             8)},
    };
    for (const auto& [what, bytes] : bad) {
        const std::string line = message_of([&bytes = bytes] { parse_header_of(bytes); });
        EXPECT_THAT(line, testing::StartsWith("x.safetensors: ")) << what;
        EXPECT_EQ(line.find('\n'), std::string::npos) << what;
    }
    // Refused where it begins, not after the rest has been read into memory.
    const std::string deep = safetensors_bytes(R"({"a":)" + std::string(5'000'000, '['), 0);
    EXPECT_THAT([&] { parse_header_of(deep); }, testing::ThrowsMessage<Error>(testing::HasSubstr("nested deeper")));
}

// Word for word: where, what was expected, what came, and what to look for.
TEST(SafetensorsHeader, SaysWhatIsWrong) {
    const auto failure = [](const std::string& bytes) { return message_of([&] { parse_header_of(bytes); }); };
    const std::string good = R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
    EXPECT_EQ(failure("abc"), "x.safetensors: expected a safetensors file, got 3 bytes (the file is truncated)");
    EXPECT_EQ(failure(safetensors_bytes(good, 8, 1 << 20)),
              "x.safetensors: expected a header inside the file's 70 bytes, got a header length of 1048576 (the file is "
              "truncated or not safetensors)");
    EXPECT_EQ(failure(safetensors_bytes(good, 7)),
              "x.safetensors: expected 8 bytes of tensors, got 7 (the file is truncated)");
    EXPECT_EQ(failure(safetensors_bytes(good, 9)),
              "x.safetensors: expected 8 bytes of tensors, got 9 (bytes that belong to no tensor)");
    EXPECT_EQ(failure(safetensors_bytes(R"({"a":{"dtype":"F33","shape":[2],"data_offsets":[0,8]}})", 8)),
              "x.safetensors: tensor 'a': expected a known dtype (F32, BF16, F16, ...), got F33");
    EXPECT_EQ(failure(safetensors_bytes(R"({"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8)),
              "x.safetensors: tensor 'a': expected 12 bytes for its shape, got offsets 0 to 8");
    EXPECT_EQ(failure(safetensors_bytes(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12)),
              "x.safetensors: tensor 'a': expected to begin at byte 0, got 4 (ranges overlap or leave a hole)");
}

}  // namespace
}  // namespace craft
