#include "model/files/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/files/gguf_writer.h"
#include "tests/source.h"

namespace craft {
namespace {

using test::gguf_text;
using test::GgufWriter;
using test::raw;
using testing::HasSubstr;

class Gguf : public testing::Test {
protected:
    std::string write(const GgufWriter& writer) const { return folder_.file("x.gguf", writer.bytes()); }
    std::string refusal_of(const std::string& bytes) const {
        const std::string file = folder_.file("x.gguf", bytes);
        try {
            const GgufFile read(file);
        } catch (const Error& error) {
            const std::string line = error.what();
            EXPECT_EQ(line.rfind(file, 0), 0U) << line;
            return line.substr(std::min(line.size(), file.size()));
        }
        return "taken";
    }
    std::string refusal_of(const GgufWriter& writer) const { return refusal_of(writer.bytes()); }
    TemporaryFolder folder_;
};

TEST_F(Gguf, ValuesOfEveryType) {
    const GgufFile file(write(GgufWriter()
                                  .value("u8", 0, raw(uint8_t{200}))
                                  .value("i8", 1, raw(int8_t{-3}))
                                  .value("u16", 2, raw(uint16_t{65535}))
                                  .value("i16", 3, raw(int16_t{-2}))
                                  .u32("u32", 4000000000U)
                                  .value("i32", 5, raw(int32_t{-5}))
                                  .f32("f32", 1e-5F)
                                  .flag("yes", true)
                                  .text("text", "naïve")
                                  .value("u64", 10, raw(uint64_t{1} << 40))
                                  .value("i64", 11, raw(int64_t{-1}))
                                  .value("f64", 12, raw(0.1))
                                  .texts("texts", {"a", "", "ccc"})
                                  .numbers<int32_t>("ints", 5, {3, -1})
                                  .numbers<float>("floats", 6, {0.5F, -2})));
    EXPECT_EQ(file.integer("u8"), 200);
    EXPECT_EQ(file.integer("i8"), -3);
    EXPECT_EQ(file.integer("u16"), 65535);
    EXPECT_EQ(file.integer("i16"), -2);
    EXPECT_EQ(file.integer("u32"), 4000000000);
    EXPECT_EQ(file.integer("i32"), -5);
    EXPECT_EQ(file.integer("u64"), int64_t{1} << 40);
    EXPECT_EQ(file.integer("i64"), -1);
    EXPECT_EQ(file.number("f32"), 1e-5) << "the decimal number, not the float's 9.99999974e-06";
    EXPECT_EQ(file.number("f64"), 0.1);
    EXPECT_EQ(file.number("u8"), 200);
    EXPECT_EQ(file.flag("yes"), true);
    EXPECT_EQ(file.text("text"), "naïve");
    EXPECT_EQ(file.texts("texts"), (std::vector<std::string_view>{"a", "", "ccc"}));
    EXPECT_EQ(file.integers("ints"), (std::vector<int64_t>{3, -1}));
    EXPECT_EQ(file.floats("floats"), (std::vector<float>{0.5F, -2}));
    EXPECT_EQ(file.integer("absent"), std::nullopt);
    EXPECT_THROW(file.integer("text"), Error);
    EXPECT_THROW(file.integer("f32"), Error);
    EXPECT_THROW(file.integer("ints"), Error);
    EXPECT_THROW(file.number("texts"), Error);
    EXPECT_THROW(file.flag("u8"), Error);
    EXPECT_THROW(file.text("texts"), Error);
    EXPECT_THROW(file.texts("ints"), Error);
    EXPECT_THROW(file.integers("floats"), Error);
    EXPECT_EQ(message_of([&] { file.required_integer("absent"); }), file.path() + ": expected the key 'absent', got none");
}

TEST_F(Gguf, TensorsOfBothVersionsAndAnyAlignment) {
    for (const uint32_t version : {2U, 3U}) {
        const GgufWriter writer = GgufWriter().align(64).floats("a", {3, 2}, {1, 2, 3, 4, 5, 6}).floats("b", {1}, {7});
        const GgufFile file(folder_.file("x.gguf", writer.bytes(version)));
        const GgufTensor& a = *file.find("a");
        EXPECT_EQ(a.shape, (std::vector<int64_t>{2, 3}));
        EXPECT_EQ(a.begin % 64, 0U);
        EXPECT_EQ(file.bytes(a), raw(1.0F) + raw(2.0F) + raw(3.0F) + raw(4.0F) + raw(5.0F) + raw(6.0F));
        EXPECT_EQ(file.find("b")->begin, a.begin + 64);
        EXPECT_EQ(file.bytes(*file.find("b")), raw(7.0F));
        EXPECT_EQ(file.find("c"), nullptr);
    }
}

TEST_F(Gguf, RefusesWhatIsNoGguf) {
    EXPECT_EQ(refusal_of(""), ": expected a GGUF file, got a file that is too short");
    EXPECT_EQ(refusal_of("PK\3\4 and more"), ": expected a GGUF file, got something else");
    EXPECT_EQ(refusal_of(GgufWriter().bytes(1)),
              ": expected GGUF of version 2 or 3, got version 1 (convert the model again)");
    EXPECT_EQ(refusal_of(GgufWriter().bytes(4)), ": expected GGUF of version 2 or 3, got version 4");
    EXPECT_EQ(refusal_of(GgufWriter().bytes(3U << 24)),
              ": expected GGUF of version 2 or 3, got one of a big-endian machine");
    EXPECT_THAT(refusal_of("GGUF" + raw(uint32_t{3}) + raw(uint64_t{0}) + raw(uint64_t{0})),
                HasSubstr("expected the key 'general.architecture', got none"));
}

TEST_F(Gguf, RefusesEveryTruncation) {
    const std::string whole = GgufWriter()
                                  .texts("t", {"a", "bc"})
                                  .u32("n", 1)
                                  .floats("a", {2}, {1, 2})
                                  .tensor("q", {32}, 8, std::string(34, 'x'))
                                  .bytes();
    // The last tensor's bytes end 30 before the file, which is padded.
    for (size_t size = 0; size < whole.size() - 30; ++size) EXPECT_NE(refusal_of(whole.substr(0, size)), "taken") << size;
    EXPECT_EQ(refusal_of(whole.substr(0, whole.size() - 30)), "taken");
}

// Claims of a few bytes that would take all memory if they were believed.
TEST_F(Gguf, BelievesNoCount) {
    const std::string head = "GGUF" + raw(uint32_t{3});
    const uint64_t huge = uint64_t{1} << 60;
    EXPECT_EQ(
        refusal_of(head + raw(huge) + raw(uint64_t{0})),
        ": expected as many tensors as the file has room for, got 1152921504606846976 (the file is truncated or damaged)");
    EXPECT_THAT(refusal_of(head + raw(uint64_t{0}) + raw(huge)), HasSubstr("as many keys as the file has room for"));
    EXPECT_THAT(refusal_of(GgufWriter().value("list", 9, raw(uint32_t{8}) + raw(huge))),
                HasSubstr(": list: expected as many elements as the file has room for"));
    EXPECT_THAT(refusal_of(GgufWriter().value("list", 9, raw(uint32_t{10}) + raw(huge / 8 + 1))),
                HasSubstr(": list: expected as many elements as the file has room for"));
    EXPECT_THAT(refusal_of(GgufWriter().value("text", 8, raw(~uint64_t{0}))),
                HasSubstr(": text: expected 18446744073709551615 bytes"));
    EXPECT_THAT(refusal_of(GgufWriter().value("list", 9, raw(uint32_t{9}) + raw(uint64_t{0}))),
                HasSubstr(": list: expected a list of numbers or texts, got a list of lists"));
    EXPECT_THAT(refusal_of(GgufWriter().value("odd", 13, "")), HasSubstr(": odd: expected a type from 0 to 12, got 13"));
}

TEST_F(Gguf, RefusesTensorsThatCannotBe) {
    const auto refused = [&](const std::vector<uint64_t>& shape, uint32_t type, uint64_t offset) {
        return refusal_of(GgufWriter().tensor_at("a", shape, type, offset, std::string(64, 'x')));
    };
    EXPECT_EQ(refused({4}, 0, 0), "taken");
    EXPECT_THAT(refused({}, 0, 0), HasSubstr(": tensor 'a': expected 1 to 4 dimensions, got 0"));
    EXPECT_THAT(refused({1, 1, 1, 1, 1}, 0, 0), HasSubstr("got 5"));
    EXPECT_THAT(refused({0}, 0, 0), HasSubstr("sizes of a tensor that fits memory, got 0"));
    EXPECT_THAT(refused({uint64_t{1} << 33, uint64_t{1} << 33}, 0, 0), HasSubstr("sizes of a tensor that fits memory"));
    EXPECT_THAT(refused({4}, 0, 1), HasSubstr("to begin at a multiple of 32 bytes, got 1"));
    EXPECT_THAT(refused({4}, 0, 64), HasSubstr("the file is truncated"));
    EXPECT_THAT(refused({4}, 0, ~uint64_t{31}), HasSubstr("the file is truncated"));
    EXPECT_THAT(refused({1 << 20}, 0, 0), HasSubstr("the file is truncated"));
    EXPECT_THAT(refused({16}, 2, 0), HasSubstr("rows of whole blocks of 32 values, got 16"));
    EXPECT_THAT(refused({256}, 10, 0), HasSubstr("Q6_K, got Q2_K (use a file of the same model in another quantisation)"));
    EXPECT_THAT(refused({256}, 999, 0), HasSubstr("got type 999"));
    EXPECT_THAT(refusal_of(GgufWriter().floats("a", {1}, {1}).floats("a", {1}, {1})),
                HasSubstr("'a': expected each tensor once"));
    EXPECT_THAT(refusal_of(GgufWriter().floats("a", {16}, std::vector<float>(16)).tensor_at("b", {4}, 0, 32, "")),
                HasSubstr("'b': expected bytes of its own, from "));
}

TEST_F(Gguf, RefusesOddKeysAndAlignments) {
    EXPECT_THAT(refusal_of(GgufWriter().u32("a", 1).u32("a", 2)), HasSubstr(": a: expected each key once, got it twice"));
    EXPECT_THAT(refusal_of(GgufWriter().u32("", 1)), HasSubstr("expected a name in UTF-8"));
    EXPECT_THAT(refusal_of(GgufWriter().u32("\xff", 1)), HasSubstr("expected a name in UTF-8"));
    for (const uint32_t alignment : {0U, 24U, 1U << 30})
        EXPECT_THAT(refusal_of(GgufWriter().u32("general.alignment", alignment)),
                    HasSubstr(": general.alignment: expected a power of 2 up to 1048576, got " + std::to_string(alignment)));
}

TEST_F(Gguf, NamesWhatIsNoLanguageModel) {
    EXPECT_EQ(refusal_of(GgufWriter().text("general.type", "adapter")),
              ": expected a language model, got a LoRA adapter (--adapter takes adapters, as PEFT's folders)");
    EXPECT_EQ(refusal_of(GgufWriter("clip")),
              ": expected a language model, got a projector of images or sound (mmproj) (the language model is a file of "
              "its own)");
    EXPECT_EQ(refusal_of(GgufWriter().text("general.type", "imatrix")), ": expected a language model, got 'imatrix'");
}

class SplitGguf : public Gguf {
protected:
    std::string part(int number, uint16_t says, const std::string& tensor) const {
        const std::string bytes = GgufWriter()
                                      .value("split.no", 2, raw(says))
                                      .value("split.count", 2, raw(uint16_t{2}))
                                      .floats(tensor, {1}, {static_cast<float>(number)})
                                      .bytes();
        return folder_.file("m-0000" + std::to_string(number) + "-of-00002.gguf", bytes);
    }
};

TEST_F(SplitGguf, IsReadWholeByAnyOfItsParts) {
    const std::string first = part(1, 0, "a"), second = part(2, 1, "b");
    for (const std::string& given : {first, second}) {
        const GgufFile file(given);
        EXPECT_EQ(file.path(), first);
        EXPECT_EQ(file.bytes(*file.find("a")), raw(1.0F));
        EXPECT_EQ(file.bytes(*file.find("b")), raw(2.0F));
        EXPECT_EQ(file.place_of("b"), second + ": tensor 'b'");
    }
}

TEST_F(SplitGguf, NamesThePartThatIsMissingOrAnother) {
    const std::string first = part(1, 0, "a"), second = (folder_.path() / "m-00002-of-00002.gguf").string();
    EXPECT_EQ(message_of([&] { GgufFile{first}; }),
              second + ": expected part 2 of 2 of the model, got no such file (the download is not complete)");
    part(2, 0, "b");
    EXPECT_EQ(message_of([&] { GgufFile{first}; }), second + ": split.no: expected 1, got 0 (a part of another model?)");
    part(2, 1, "a");
    EXPECT_EQ(message_of([&] { GgufFile{first}; }), second + ": tensor 'a': expected each tensor once, got it twice");
    std::filesystem::rename(first, folder_.path() / "renamed.gguf");
    EXPECT_THAT(message_of([&] { GgufFile{folder_.path() / "renamed.gguf"}; }),
                HasSubstr("expected the name of a part of a split model (NAME-00001-of-00003.gguf), got renamed.gguf"));
}

// tests/parity/make_gguf.py: random blocks, and what the gguf package makes of them.
TEST(GgufBlocks, AreBitForBitWhatTheGgufPackageMakesOfThem) {
    const GgufFile file(test_source("/tests/model/gguf/blocks.gguf"));
    int types = 0;
    for (const auto& [name, tensor] : file.tensors()) {
        const GgufTensor* expected = file.find(name + ".expected");
        if (expected == nullptr) continue;
        ++types;
        const std::string_view bytes = file.bytes(tensor), values = file.bytes(*expected);
        EXPECT_EQ(name, info_of(tensor.type).name);
        std::vector<float> got(values.size() / sizeof(float));
        dequantise(tensor.type, bytes, got.data());
        size_t others = 0;
        for (size_t i = 0; i < got.size(); ++i)
            others += std::memcmp(&got[i], values.data() + i * sizeof(float), sizeof(float)) != 0 ? 1 : 0;
        EXPECT_EQ(others, 0U) << name << " of " << got.size();
        EXPECT_GE(got.size(), 12U);
    }
    EXPECT_EQ(types, 11) << "all but F32";
}

TEST(GgufBlocks, HalfPrecision) {
    EXPECT_EQ(half_to_float(0x3C00), 1);
    EXPECT_EQ(half_to_float(0xC000), -2);
    EXPECT_EQ(half_to_float(0x0001), 0x1p-24F) << "the least";
    EXPECT_EQ(half_to_float(0x83FF), -0x1.ff8p-15F) << "the largest below the normal ones";
    EXPECT_EQ(half_to_float(0x7BFF), 65504);
    EXPECT_TRUE(std::signbit(half_to_float(0x8000)));
    EXPECT_TRUE(std::isinf(half_to_float(0x7C00)));
    EXPECT_TRUE(std::isnan(half_to_float(0xFE01)));
}

}  // namespace
}  // namespace craft
