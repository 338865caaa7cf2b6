// Models that the library must not see: each is one error. tests/fuzz/sentencepiece_fuzz.cpp looks for more of them.
#include "model/tokenizer/sentencepiece_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "core/rng.h"
#include "model/tokenizer/sentencepiece_tokenizer.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

// Fields of a protobuf message.
std::string number(uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) out.push_back(static_cast<char>(value | 0x80));
    out.push_back(static_cast<char>(value));
    return out;
}
std::string field(uint64_t name, const std::string& bytes) {
    return number(name << 3 | 2) + number(bytes.size()) + bytes;
}
std::string field(uint64_t name, uint64_t value) {
    return number(name << 3) + number(value);
}
std::string four_bytes(uint32_t value) {
    std::string out(4, '\0');
    std::memcpy(out.data(), &value, 4);
    return out;
}
std::string piece(const std::string& spelling, float score, uint64_t type) {
    return field(1, field(1, spelling) + number(2 << 3 | 5) + four_bytes(std::bit_cast<uint32_t>(score)) + field(3, type));
}

std::string error_of(const std::string& model) {
    try {
        check_sentencepiece_model(model, "m");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

const std::string kUnknown = piece("<unk>", 0, 2);

// A table of replacements: an array of these units, then texts.
std::string with_table(const std::vector<uint32_t>& units, const std::string& texts) {
    std::string map = four_bytes(static_cast<uint32_t>(units.size() * 4));
    for (const uint32_t unit : units) map += four_bytes(unit);
    return kUnknown + field(3, field(2, map + texts));
}

TEST(SentencepieceFile, WhatIsRefused) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"", "one without pieces"},
        {"nonsense", "a protobuf message"},
        {std::string(20, '\xff'), "a protobuf message"},
        {field(1, std::string(5, 'x')).substr(0, 4), "a protobuf message"},
        {number(1 << 3 | 3), "a protobuf message"},
        {piece("a", 0, 1), "one unknown piece, got 0"},
        {kUnknown + piece("<u>", 0, 2), "one unknown piece, got 2"},
        {kUnknown + piece("", 0, 1), "piece 1: expected a spelling"},
        {kUnknown + piece(std::string("a\0b", 3), 0, 1), "piece 1: expected a spelling"},
        {kUnknown + piece("\xff", 0, 1), "piece 1: expected a spelling"},
        {kUnknown + piece("a", std::numeric_limits<float>::quiet_NaN(), 1), "a finite score"},
        {kUnknown + piece("a", -std::numeric_limits<float>::infinity(), 1), "a finite score"},
        {kUnknown + piece("a", 0, 9), "a type from 1 to 6"},
        {kUnknown + piece("a", 0, 1) + piece("a", 0, 1), "each piece once"},
        {kUnknown + field(2, field(3, 9)), "model_type"},
        {kUnknown + field(1, 7), "a message"},
        {kUnknown + field(3, field(2, "x")), "precompiled_charsmap"},
        {with_table(std::vector<uint32_t>(4, 0), std::string(1, '\0')), "stays within itself"},
        {with_table(std::vector<uint32_t>(256, 0xFFFFFC00u), std::string(1, '\0')), "stays within itself"},
        {with_table(std::vector<uint32_t>(256, 0), "x"), "a table and the texts"},
    };
    for (const auto& [model, part] : cases) EXPECT_THAT(error_of(model), testing::HasSubstr(part)) << part;
    EXPECT_EQ(error_of(kUnknown + piece("a", -1, 1)), "");
    EXPECT_EQ(error_of(with_table(std::vector<uint32_t>(256, 1), std::string(1, '\0'))), "");
}

// Bytes of a model changed here and there: refused, or usable.
TEST(SentencepieceFile, BrokenModelsNeverCrash) {
    const test::TokenizerFolder folder("broken-pieces", {320, TokenizerModel::unigram});
    const std::string whole = read_file(folder.path / "tokenizer.model");
    EXPECT_EQ(error_of(whole), "");
    Rng rng(7, "broken models");
    int opened = 0;
    for (int turn = 0; turn < 400; ++turn) {
        std::string model = whole;
        for (uint64_t changes = 1 + rng.below(3); changes > 0; --changes) {
            const size_t at = rng.below(model.size());
            if (rng.below(3) == 0)
                model.erase(at, 1 + rng.below(6));
            else
                model[at] = static_cast<char>(rng.below(256));
        }
        try {
            const SentencepieceTokenizer tokenizer(model, {}, "broken");
            tokenizer.decode(tokenizer.encode("The river <s>\xe2\x96\x81 \xe6\xbc\xa2", true), true);
            ++opened;
        } catch (const Error&) {}
    }
    EXPECT_GT(opened, 20);
}

}  // namespace
}  // namespace craft
