#include "tokenizer/train_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "tests/core/temporary_folder.h"
#include "tests/tokenizer/small_tokenizer.h"
#include "text/words.h"
#include "tokenizer/tokenizer.h"

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
        EXPECT_NE(train(sample_texts(), 270, model).find("--vocab-size"), std::string::npos);
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

std::vector<std::string> spellings(const Tokenizer& tokenizer, const std::string& text) {
    std::vector<std::string> out;
    for (const int64_t id : tokenizer.encode(text, false)) out.push_back(tokenizer.decode({id}, true));
    return out;
}

TEST(TrainTokenizer, WordsAreAlikeWithAndWithoutABlank) {
    TokenizerTraining options{.vocabulary_size = 1200, .symbols = {"keep as it is"}, .words_alike = true};
    std::vector<std::string> texts;
    JsonLinesReader reader((std::filesystem::path(CRAFT_TEST_SOURCE) / "share" / "texts" / "train.jsonl").string());
    while (const auto row = reader.next())
        if (texts.size() < 100) texts.push_back(string_field(*row, "text", reader.where()));
    const auto alike = trained(texts, options);
    options.words_alike = false;
    const auto usual = trained(texts, options);
    EXPECT_GT(alike->vocabulary_size(), 900);
    EXPECT_LE(alike->vocabulary_size(), 1200);
    EXPECT_EQ(spellings(*alike, "keep as it is"), std::vector<std::string>{"keep as it is"});

    std::set<std::string> words = {"unseenish", "Caf\u00e9", "Wednesday's"};
    for (const std::string& text : texts)
        for (const std::string& word : whitespace_words(text)) words.insert(word);
    int differ = 0, one_piece = 0;
    for (const std::string& word : words) {
        const auto plain = spellings(*alike, word);
        auto behind_blank = spellings(*alike, " " + word);
        EXPECT_EQ(behind_blank[0][0], ' ');
        one_piece += behind_blank.size() == 1 && word.size() > 3 ? 1 : 0;
        behind_blank[0].erase(0, 1);
        if (behind_blank[0].empty()) behind_blank.erase(behind_blank.begin());  // a beginning without a form of its own
        EXPECT_EQ(behind_blank, plain);
        differ += spellings(*usual, " " + word).size() != spellings(*usual, word).size() ? 1 : 0;
        EXPECT_EQ(alike->decode(alike->encode("a " + word + "  b", false), true), "a " + word + "  b");
    }
    EXPECT_GE(one_piece, 50);
    EXPECT_GE(differ, 300) << "the usual training does not give this";
    options.words_alike = true;
    options.model = TokenizerModel::unigram;
    EXPECT_THAT(message_of([&] { trained(sample_texts(), options); }), HasSubstr("bpe"));
}

}  // namespace
}  // namespace craft
