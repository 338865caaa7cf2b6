#include "model/tokenizer/train_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "model/tokenizer/tokenizer.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using test::sample_texts;
using test::source_of;
using test::TokenizerFolder;
using testing::HasSubstr;

std::shared_ptr<Tokenizer> trained(const std::vector<std::string>& texts, const TokenizerTraining& options) {
    const TemporaryFolder folder;
    train_tokenizer(source_of(texts), options, folder.path());
    return open_tokenizer(folder.path());
}

TEST(TrainTokenizer, RepeatsItsBytes) {
    for (const TokenizerModel model : {TokenizerModel::bpe, TokenizerModel::unigram}) {
        const TokenizerFolder one("repeat-1", {330, model}), two("repeat-2", {330, model});
        for (const std::string file :
             {"tokenizer.model", "tokenizer_config.json", "special_tokens_map.json", "chat_template.jinja"})
            EXPECT_EQ(read_file(one.path / file), read_file(two.path / file)) << file;
    }
}

TEST(TrainTokenizer, ExplainsWhatCannotWork) {
    const TemporaryFolder folder;
    const auto train = [&](const std::vector<std::string>& texts, int64_t size, TokenizerModel model) {
        return message_of([&] { train_tokenizer(source_of(texts), {size, model}, folder.path()); });
    };
    for (const TokenizerModel model : {TokenizerModel::bpe, TokenizerModel::unigram}) {
        for (const std::string& line : {train(sample_texts(), 90000, model), train({"a b"}, 500, model)}) {
            EXPECT_NE(line.find("--vocab-size"), std::string::npos) << line;
            EXPECT_NE(line.find("give more text"), std::string::npos) << line;
            EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        }
        EXPECT_NE(train(sample_texts(), 100, model).find("--vocab-size: expected 264"), std::string::npos);
        const std::string small = train(sample_texts(), 270, model);
        EXPECT_EQ(small.find("--vocab-size: expected at least "), 0u) << small;
        EXPECT_NE(small.find(" for the characters of these texts, got 270 (give a larger vocabulary)"), std::string::npos)
            << small;
        EXPECT_NE(train({"caf\xe9"}, 400, model).find("UTF-8"), std::string::npos);
        EXPECT_NE(train({}, 400, model).find("texts to train on"), std::string::npos);
        EXPECT_NE(train({"", "\n\n"}, 400, model).find("texts to train on"), std::string::npos);
    }
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "tokenizer.model"));
}

// The trainer cuts symbols and special tokens out before it counts characters: here '#', '|' and '{' stand in nothing else.
TEST(TrainTokenizer, CharactersThatOnlySymbolsHold) {
    std::vector<std::string> texts = sample_texts();
    texts.emplace_back("###PLAN: the river {x} <|im_end|>");
    for (const TokenizerModel model : {TokenizerModel::bpe, TokenizerModel::unigram}) {
        const auto tokenizer = trained(texts, {330, model, {"###PLAN:", "a {x}", "r {x}"}});
        EXPECT_EQ(tokenizer->encode("###PLAN:", false).size(), 1u);
        for (const std::string text : {"# | { }", "###PLAN: the river {x} <|im_end|>", "r \xe2\x96\x81{x}"})
            EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, false), true), text);
    }
}

// The trainer leaves out every line with its own mark for unknown pieces.
TEST(TrainTokenizer, LinesWithTheTrainersMarkAreLearnedFrom) {
    std::vector<std::string> texts;
    for (const std::string& text : sample_texts()) texts.push_back("\u2585" + text + "\u2585\u2585");
    const auto tokenizer = trained(texts, {330, TokenizerModel::bpe});
    EXPECT_GE(tokenizer->id_of("e"), 0);
    EXPECT_EQ(tokenizer->decode(tokenizer->encode("\u2585 the\u2585", false), true), "\u2585 the\u2585");
}

TEST(TrainTokenizer, SymbolsThatCannotBe) {
    EXPECT_EQ(symbols_problem({}), "");
    EXPECT_EQ(symbols_problem({"a", "b c", "<|im|>", "\n\n", "caf\u00e9"}), "");
    EXPECT_THAT(symbols_problem({"a", ""}), HasSubstr("an empty one"));
    EXPECT_THAT(symbols_problem({"caf\xe9"}), HasSubstr("UTF-8"));
    for (const std::string symbol : {"<s>", "<|im_end|>", "<pad>"})
        EXPECT_THAT(symbols_problem({symbol}), HasSubstr("no tokens yet, got '" + symbol + "'"));
    EXPECT_THAT(symbols_problem({"\n"}), HasSubstr("no tokens yet, got '\\n'"));
    EXPECT_THAT(symbols_problem({"a", "b", "a"}), HasSubstr("got 'a' (special, or given twice)"));
    for (const std::string symbol : {"a\tb", "a\u2581b", "\u2585"})
        EXPECT_THAT(symbols_problem({symbol}), HasSubstr("without tabs, zero bytes, U+2581 and U+2585, got '" + symbol));
    EXPECT_THAT(symbols_problem({std::string("a\0b", 3)}), HasSubstr("zero bytes"));
    EXPECT_THAT(message_of([] {
                    trained(sample_texts(), {400, TokenizerModel::bpe, {"<s>"}});
                }),
                testing::StartsWith("--symbols: expected "));
}

}  // namespace
}  // namespace craft
