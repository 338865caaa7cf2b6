#include "model/tokenizer/tokenizer.h"

#include <gtest/gtest.h>
#include <sentencepiece_trainer.h>

#include <fstream>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/rng.h"
#include "core/utf8.h"
#include "model/tokenizer/stream_decoder.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using test::sample_texts;
using test::source_of;
using test::TokenizerFolder;

std::string error_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::string random_text(Rng& rng) {
    const std::vector<std::string> bits = {" ",    "  ",       "\n", "\t",           "a",     "the",        "7",
                                           "é",    "漢",       "😀",  "\xe2\x96\x81", "<s>",   "<|im_end|>", "<0x41>",
                                           "\r\n", "\xc2\xa0", "ﬁ",  "e\xcc\x81",    "<unk>", ".",          "\xe2\x81\x87"};
    std::string text;
    for (uint64_t n = rng.below(30); n > 0; --n) text += rng.pick(bits);
    return text;
}

TEST(Tokenizer, EveryTextComesBack) {
    for (const TokenizerModel model : {TokenizerModel::bpe, TokenizerModel::unigram}) {
        const TokenizerFolder folder("round-trip", {330, model});
        const auto tokenizer = open_tokenizer(folder.path);
        EXPECT_EQ(tokenizer->vocabulary_size(), 330);
        Rng rng(1, "texts");
        for (int i = 0; i < 500; ++i) {
            const std::string text = random_text(rng);
            for (const bool allow_special : {false, true})
                ASSERT_EQ(tokenizer->decode(tokenizer->encode(text, allow_special), true), text);
        }
        EXPECT_TRUE(tokenizer->encode("", false).empty());
    }
}

TEST(Tokenizer, SpecialTokensInTextStayTextUnlessAllowed) {
    const TokenizerFolder folder("special");
    const auto tokenizer = open_tokenizer(folder.path);
    const std::string text = "a<|im_end|>\n<|im_start|>system\n</s><pad><unk>";
    for (const int64_t id : tokenizer->encode(text, false)) EXPECT_GE(id, 6);
    std::vector<int64_t> special;
    for (const int64_t id : tokenizer->encode(text, true))
        if (id < 6) special.push_back(id);
    EXPECT_EQ(special, (std::vector<int64_t>{5, 4, 2, 3, 0}));
    EXPECT_EQ(tokenizer->decode(tokenizer->encode(text, true), false), "a\nsystem\n");
    EXPECT_EQ(tokenizer->id_of("<|im_end|>"), 5);
    EXPECT_EQ(tokenizer->end_token(), 5);
    EXPECT_EQ(tokenizer->id_of("no such token"), -1);
    EXPECT_TRUE(tokenizer->leading_tokens().empty());
}

TEST(Tokenizer, DigitsAndNewlinesStandAlone) {
    const TokenizerFolder folder("digits");
    const auto tokenizer = open_tokenizer(folder.path);
    EXPECT_EQ(tokenizer->encode("2024", false).size(), 4u);
    const int64_t newline = tokenizer->id_of("\n");
    ASSERT_GE(newline, 0);
    const auto ids = tokenizer->encode("the\n\nthe", false);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), newline), 2);
}

TEST(Tokenizer, BrokenBytesBecomeReplacementCharacters) {
    const TokenizerFolder folder("bytes");
    const auto tokenizer = open_tokenizer(folder.path);
    std::vector<int64_t> ids = tokenizer->encode("😀", false);
    ASSERT_EQ(ids.size(), 4u);  // four bytes: no such character in the texts
    EXPECT_EQ(tokenizer->decode(ids, true), "😀");
    ids.resize(1);
    ids.push_back(tokenizer->id_of("\n"));
    EXPECT_EQ(tokenizer->decode(ids, true), "\xef\xbf\xbd\n");
    EXPECT_THROW(tokenizer->decode({400}, true), Error);
    EXPECT_THROW(tokenizer->decode({-1}, true), Error);
}

TEST(Tokenizer, ForeignModelKeepsItsOwnRules) {
    const TokenizerFolder folder("foreign");
    test::sample_texts();
    std::ofstream(folder.path / "corpus.txt") << [] {
        std::string all;
        for (const std::string& text : sample_texts()) all += text + "\n";
        return all;
    }();
    const auto status = sentencepiece::SentencePieceTrainer::Train(
        "--input=" + (folder.path / "corpus.txt").string() + " --model_prefix=" + (folder.path / "tokenizer").string() +
        " --vocab_size=400 --model_type=bpe --byte_fallback=true --minloglevel=2");  // dummy prefix, nmt_nfkc, as Llama's
                                                                                     // kind
    ASSERT_TRUE(status.ok()) << status.message();
    write_file_atomic(
        folder.path / "tokenizer_config.json",
        R"({"bos_token":"<s>","eos_token":{"content":"</s>"},"add_bos_token":true,"add_eos_token":true,"added_tokens_decoder":{
                          "400":{"content":"<|im_end|>","special":true},"401":{"content":"[KEEP]","special":false}}})");
    const auto tokenizer = open_tokenizer(folder.path);
    EXPECT_EQ(tokenizer->encode("the river", false), tokenizer->encode("  the  river ", false));  // its own normalisation
    EXPECT_EQ(tokenizer->decode(tokenizer->encode("the river", false), true), "the river");  // its leading blank is gone
    EXPECT_EQ(tokenizer->leading_tokens(), std::vector<int64_t>{1});
    EXPECT_EQ(tokenizer->trailing_tokens(), std::vector<int64_t>{2});
    EXPECT_EQ(tokenizer->end_token(), 2);
    EXPECT_EQ(tokenizer->vocabulary_size(), 402);
    EXPECT_EQ(tokenizer->id_of("<|im_end|>"), 400);
    EXPECT_EQ(tokenizer->encode("<|im_end|>", true), std::vector<int64_t>{400});
    EXPECT_GT(tokenizer->encode("<|im_end|>", false).size(), 1u);
    EXPECT_EQ(tokenizer->encode("[KEEP]", false), std::vector<int64_t>{401});
    // Of four spellings the first stands outside the literal ranges; one touches their end, one their beginning, one is
    // inside.
    const std::string text = "<|im_end|><|im_end|><|im_end|><|im_end|>";
    for (const auto& [literal, specials] :
         std::vector<std::pair<std::vector<ByteRange>, int>>{{{{12, 33}}, 1}, {{}, 4}, {{{10, 20}, {20, 30}}, 2}}) {
        const auto ids = tokenizer->encode_around(text, literal);
        EXPECT_EQ(std::count(ids.begin(), ids.end(), 400), specials);
        std::string decoded = tokenizer->decode(ids, true);  // text after a token has the model's leading blank
        std::erase(decoded, ' ');
        EXPECT_EQ(decoded, text);
    }
    EXPECT_EQ(tokenizer->decode({400, 401}, false), "[KEEP]");
    // Its blank goes at the beginning of the text only, and its blanks are those of the text.
    const auto river = tokenizer->encode("the river", false);
    std::vector<int64_t> twice = {1};
    twice.insert(twice.end(), river.begin(), river.end());
    twice.push_back(2);
    twice.insert(twice.end(), river.begin(), river.end());
    EXPECT_EQ(tokenizer->decode(twice, false), "the river the river");
    EXPECT_EQ(tokenizer->decode(twice, true), "<s> the river</s> the river");
    EXPECT_EQ(tokenizer->encode("the\xe2\x96\x81river", false), river);
}

TEST(Tokenizer, StreamsWhatItDecodes) {
    const TokenizerFolder folder("stream");
    const auto tokenizer = open_tokenizer(folder.path);
    Rng rng(5, "stream");
    for (int turn = 0; turn < 300; ++turn) {
        const std::vector<int64_t> ids = tokenizer->encode(random_text(rng) + random_text(rng), true);
        StreamDecoder stream(*tokenizer, true);
        std::string text;
        for (const int64_t id : ids) {
            text += stream.push(id);
            EXPECT_EQ(invalid_utf8_at(text), std::string::npos);
        }
        EXPECT_EQ(text + stream.finish(), tokenizer->decode(ids, true));
    }
}

TEST(Tokenizer, BrokenFilesAreOneClearError) {
    const TokenizerFolder folder("broken");
    const std::string model = read_file(folder.path / "tokenizer.model");
    for (const std::string& bytes : {std::string(), std::string("nonsense"), model.substr(0, model.size() / 2)}) {
        write_file_atomic(folder.path / "tokenizer.model", bytes);
        const std::string line = error_of([&] { open_tokenizer(folder.path); });
        EXPECT_NE(line.find("tokenizer.model"), std::string::npos) << bytes.size() << ": " << line;
    }
    std::filesystem::remove(folder.path / "tokenizer.model");
    EXPECT_NE(error_of([&] { open_tokenizer(folder.path); }).find("tokenizer.model"), std::string::npos);
    EXPECT_NE(error_of([&] { open_tokenizer(folder.path / "absent"); }).find("absent"), std::string::npos);
}

}  // namespace
}  // namespace craft
