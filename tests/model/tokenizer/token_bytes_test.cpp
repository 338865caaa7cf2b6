// What each token adds to a text, by itself: put together it is what all of them decode to.
#include <gtest/gtest.h>

#include <set>

#include "core/utf8.h"
#include "model/tokenizer/tokenizer.h"
#include "model/tokenizer/unicode_classes.h"
#include "tests/model/tokenizer/small_tokenizer.h"
#include "tests/source.h"

namespace craft {
namespace {

const std::vector<std::string> kSpelledTexts = {
    "###THOUGHT:\nThe text must shrink.", "word_count_check(120, \"less than\")\n```",
    "  two  blanks, caf\u00e9 \u96e8 \U0001F980!", "Sentence: \"It's late\"; Improvement Plan: \"cut\""};

// The bytes of all tokens; absent if one has none of its own.
std::optional<std::string> joined_bytes(const Tokenizer& tokenizer, const std::vector<int64_t>& ids) {
    std::string all;
    for (const int64_t id : ids) {
        const auto bytes = tokenizer.bytes_of(id);
        if (!bytes) return std::nullopt;
        all += *bytes;
    }
    return invalid_utf8_at(all) == std::string::npos ? all : replace_invalid_utf8(all);
}

TEST(TokenBytes, MakeTheTextOfStoredTokenizers) {
    const std::filesystem::path stored = std::filesystem::path(test_source()) / "tests/model/tokenizer/stored";
    std::set<std::string> with, without;
    for (const char* kind : {"tokenizers", "folders"})
        for (const auto& folder : std::filesystem::directory_iterator(stored / kind)) {
            if (!folder.is_directory()) continue;
            const auto tokenizer = open_tokenizer(folder.path());
            for (const std::string& text : kSpelledTexts) {
                const std::vector<int64_t> ids = tokenizer->encode(text, false);
                const std::string decoded = tokenizer->decode(ids, false);
                const auto bytes = joined_bytes(*tokenizer, ids);
                (bytes ? with : without).insert(folder.path().filename());
                if (!bytes) continue;
                const size_t blanks = bytes->find_first_not_of(' ');  // those at the beginning may be dropped
                EXPECT_TRUE(*bytes == decoded || bytes->substr(std::min(size_t{1}, blanks)) == decoded ||
                            bytes->substr(blanks) == decoded)
                    << folder.path() << ": " << *bytes << " | " << decoded;
            }
        }
    EXPECT_GE(with.size(), 6u) << testing::PrintToString(without);
}

TEST(TokenBytes, OfOurOwnTokenizersAreExact) {
    for (const TokenizerModel model : {TokenizerModel::bpe, TokenizerModel::unigram}) {
        const test::TokenizerFolder folder("token-bytes", {model == TokenizerModel::bpe ? 400 : 330, model});
        const auto tokenizer = open_tokenizer(folder.path);
        for (const std::string& text : kSpelledTexts)
            EXPECT_EQ(joined_bytes(*tokenizer, tokenizer->encode(text, false)), text);
        EXPECT_EQ(tokenizer->bytes_of(tokenizer->id_of("<0xE9>")), "\xE9");
        EXPECT_EQ(tokenizer->bytes_of(tokenizer->id_of("<|im_end|>")), std::nullopt);
        EXPECT_EQ(tokenizer->bytes_of(-1), std::nullopt);
        EXPECT_EQ(tokenizer->bytes_of(tokenizer->vocabulary_size()), std::nullopt);
    }
}

}  // namespace
}  // namespace craft
