// Spellings that are single tokens, and characters that never fall apart into bytes.
#include <gtest/gtest.h>

#include "model/tokenizer/tokenizer.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using test::sample_texts;
using test::source_of;

// With blanks, quotes, commas and other marks that the trainer's own lists are written with.
const std::vector<std::string> kSymbols = {"###PLAN:",  "Sentence: \"", "\"; Improvement Plan: \"",
                                           "\"",        "a, b",         ",",
                                           "\"x\",\"y", "two  blanks",  " lead",
                                           "trail ",    "it's",         "{x}",
                                           "```",       "caf\u00e9",    "\\n",
                                           "tool_name", "100 %"};

constexpr int64_t kSize = 350;  // unigram finds no more pieces in the sample texts

class Symbols : public testing::TestWithParam<TokenizerModel> {
protected:
    std::shared_ptr<Tokenizer> trained(const std::vector<std::string>& symbols, const std::vector<std::string>& texts,
                                       int64_t size) {
        const auto folder = std::filesystem::temp_directory_path() / ("craft-symbols-" + std::to_string(::getpid()));
        std::filesystem::remove_all(folder);
        train_tokenizer(source_of(texts), {size, GetParam(), symbols}, folder);
        auto tokenizer = open_tokenizer(folder);
        std::filesystem::remove_all(folder);
        return tokenizer;
    }
};

TEST_P(Symbols, AreSingleTokensWhereverTheyStand) {
    const auto tokenizer = trained(kSymbols, sample_texts(), kSize);
    EXPECT_EQ(tokenizer->vocabulary_size(), kSize);
    for (const std::string& symbol : kSymbols) {
        const auto alone = tokenizer->encode(symbol, false);
        ASSERT_EQ(alone.size(), 1u) << symbol;
        EXPECT_GE(alone[0], 6) << symbol;
        EXPECT_EQ(tokenizer->decode(alone, false), symbol);
        for (const std::string& text : {"The river" + symbol + "the bridge", symbol + symbol, "\n" + symbol + "\n"}) {
            const auto ids = tokenizer->encode(text, false);
            EXPECT_GE(std::count(ids.begin(), ids.end(), alone[0]), 1) << text;
            EXPECT_EQ(tokenizer->decode(ids, false), text);
        }
    }
}

TEST_P(Symbols, LongerOnesGoBeforeTheirParts) {
    const auto tokenizer = trained(kSymbols, sample_texts(), kSize);
    const auto id = [&](const std::string& symbol) { return tokenizer->encode(symbol, false).at(0); };
    const std::vector<int64_t> line = tokenizer->encode("###PLAN:\nSentence: \"it's\"; Improvement Plan: \"\"", false);
    EXPECT_EQ(line, (std::vector<int64_t>{id("###PLAN:"), tokenizer->id_of("\n"), id("Sentence: \""), id("it's"),
                                          id("\"; Improvement Plan: \""), id("\"")}));
}

TEST_P(Symbols, ChangeNothingAboutOtherTexts) {
    const auto tokenizer = trained(kSymbols, sample_texts(), kSize);
    for (const std::string& text : sample_texts()) EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, false), false), text);
    EXPECT_EQ(tokenizer->id_of("<|im_end|>"), 5);
}

TEST_P(Symbols, AsciiOfTheTextsNeverFallsIntoBytes) {
    std::vector<std::string> texts;
    for (int i = 0; i < 60; ++i)  // so that the rare ones are under one in 10,000 characters
        for (const std::string& text : sample_texts()) texts.push_back(text);
    std::string rare;
    for (char c = '!'; c <= '~'; ++c)
        if (c != '@') rare += c;
    texts.push_back(rare);
    const auto tokenizer = trained({}, texts, 400);
    for (const char c : rare) {
        const auto ids = tokenizer->encode(std::string(1, c), false);
        ASSERT_EQ(ids.size(), 1u) << c;
        EXPECT_EQ(ids[0], tokenizer->id_of(std::string(1, c))) << c;
    }
    EXPECT_EQ(tokenizer->encode("@", false), std::vector<int64_t>{tokenizer->id_of("<0x40>")});  // in no text
    EXPECT_EQ(tokenizer->decode(tokenizer->encode("a@b", false), false), "a@b");
}

INSTANTIATE_TEST_SUITE_P(Models, Symbols, testing::Values(TokenizerModel::bpe, TokenizerModel::unigram),
                         [](const auto& model) { return model.param == TokenizerModel::bpe ? "bpe" : "unigram"; });

}  // namespace
}  // namespace craft
