// Tokenizers described by hand; tests/parity holds them against the `tokenizers` library.
#include "model/tokenizer/json_tokenizer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files.h"
#include "core/rng.h"
#include "model/tokenizer/stream_decoder.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<int64_t>;

class Folder {
public:
    Folder() : path_(fs::temp_directory_path() / ("craft-json-tokenizer-" + std::to_string(::getpid()))) {
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~Folder() { fs::remove_all(path_); }
    Folder& with(const std::string& name, const std::string& text) {
        write_file_atomic(path_ / name, text);
        return *this;
    }
    std::shared_ptr<Tokenizer> open() const { return open_tokenizer(path_); }
    std::string error() const {
        try {
            open();
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

private:
    fs::path path_;
};

// Bytes of a b c, the blank, three merges; <s> and </s> are special, newword is not.
const std::string kBytePairs = R"({"added_tokens":[
    {"id":9,"content":"<s>","special":true,"normalized":false},{"id":10,"content":"</s>","special":true,"normalized":false},
    {"id":11,"content":"newword","special":false,"normalized":false,"rstrip":true}],
  "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":true},"decoder":{"type":"ByteLevel"},
  "post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}},{"SpecialToken":{"id":"</s>"}}],
    "special_tokens":{"<s>":{"ids":[9]},"</s>":{"ids":[10]}}},
  "model":{"type":"BPE","vocab":{"a":0,"b":1,"c":2,"Ġ":3,"ab":4,"Ġab":5,"abc":6,"Ã":7,"©":8},"merges":["a b","Ġ ab",["ab","c"]]}})";

TEST(JsonTokenizer, MergesWordsAndFindsAddedTokens) {
    const auto tokenizer = Folder().with("tokenizer.json", kBytePairs).open();
    EXPECT_EQ(tokenizer->encode("abc ab cab", false), (Ids{6, 5, 3, 2, 4}));
    EXPECT_EQ(tokenizer->leading_tokens(), Ids{9});
    EXPECT_EQ(tokenizer->trailing_tokens(), Ids{10});
    EXPECT_EQ(tokenizer->vocabulary_size(), 12);
    EXPECT_EQ(tokenizer->encode("a<s>newword  b", true), (Ids{0, 9, 11, 1}));
    EXPECT_EQ(tokenizer->encode("newword", false), Ids{11});
    EXPECT_EQ(tokenizer->decode({9, 6, 5, 10}, true), "<s>abc ab</s>");
    EXPECT_EQ(tokenizer->decode({9, 6, 5, 10, 4000}, false), "abc ab");
    EXPECT_THROW(tokenizer->decode({-1}, true), Error);
}

// As the library: what a token's stripping has swallowed is no token again.
TEST(JsonTokenizer, BlanksThatAreTokensAndSwallowBlanks) {
    const auto tokenizer = Folder()
                               .with("tokenizer.json", R"({"model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":[]},
            "added_tokens":[{"id":2,"content":"\n","lstrip":true,"rstrip":true,"normalized":false}]})")
                               .open();
    EXPECT_EQ(tokenizer->encode("a\n\n\nb", true), (Ids{0, 2, 1}));
    EXPECT_EQ(tokenizer->encode("a \n \n\n b\n", true), (Ids{0, 2, 1, 2}));
}

TEST(JsonTokenizer, SpecialTokensInLiteralPartsAreText) {
    const auto tokenizer = Folder().with("tokenizer.json", kBytePairs).open();
    // "<", "s" and ">" are not in the vocabulary and there is no unknown token: they have no ids.
    EXPECT_EQ(tokenizer->encode_around("a<s>b<s>c", {{0, 3}}), (Ids{0, 1, 9, 2}));
    EXPECT_EQ(tokenizer->encode_around("a<s>b<s>c", {{3, 6}}), (Ids{0, 1, 2}));
    EXPECT_EQ(tokenizer->encode_around("a<s>b<s>c", {}), (Ids{0, 9, 1, 9, 2}));
}

TEST(JsonTokenizer, StreamsWholeCharacters) {
    const auto tokenizer = Folder().with("tokenizer.json", kBytePairs).open();
    StreamDecoder stream(*tokenizer, true);
    EXPECT_EQ(stream.push(0), "a");
    EXPECT_EQ(stream.push(7), "");
    EXPECT_EQ(stream.push(8), "\xc3\xa9");
    EXPECT_EQ(stream.push(7), "");
    EXPECT_EQ(stream.push(0),
              "\xef\xbf\xbd"
              "a");
    EXPECT_EQ(stream.push(7), "");
    EXPECT_EQ(stream.finish(), "\xef\xbf\xbd");
    std::string text;
    for (int i = 0; i < 1000; ++i) text += stream.push(i % 7);
    Ids ids;
    for (int i = 0; i < 1000; ++i) ids.push_back(i % 7);
    EXPECT_EQ(text + stream.finish(), tokenizer->decode(ids, true));
}

TEST(JsonTokenizer, BytesThatAreNotUtf8AreReplaced) {
    const auto tokenizer = Folder().with("tokenizer.json", kBytePairs).open();
    EXPECT_EQ(tokenizer->encode("a\xff<s>\xe2\x82", true), tokenizer->encode("a\xef\xbf\xbd<s>\xef\xbf\xbd", true));
    EXPECT_EQ(tokenizer->encode_around("\xff<s>\xff<s>", {{0, 4}}), (Ids{9}));
}

// As transformers 5: beside a tokenizer.json the switches do not count.
TEST(JsonTokenizer, ThePostProcessorSaysWhatStandsAround) {
    Folder folder;
    folder.with("tokenizer.json", kBytePairs)
        .with("tokenizer_config.json",
              R"({"bos_token":"<s>","eos_token":{"content":"</s>"},"add_bos_token":false,"add_eos_token":true,
            "added_tokens_decoder":{"12":{"content":"<pad>","special":true}}})");
    const auto tokenizer = folder.open();
    const auto alone = Folder().with("tokenizer.json", kBytePairs).open();
    EXPECT_EQ(tokenizer->leading_tokens(), alone->leading_tokens());
    EXPECT_EQ(tokenizer->trailing_tokens(), alone->trailing_tokens());
    EXPECT_EQ(tokenizer->end_token(), 10);
    EXPECT_EQ(tokenizer->encode("a<pad>b", true), (Ids{0, 12, 1}));
}

TEST(JsonTokenizer, ConfigurationNamesWhatStandsAroundWordLists) {
    Folder gpt2;
    gpt2.with("vocab.json", R"({"a":0,"<|endoftext|>":1})")
        .with("merges.txt", "#version: 0.2\n")
        .with("tokenizer_config.json", R"({"tokenizer_class":"GPT2Tokenizer","add_bos_token":true,"add_eos_token":false})");
    const auto tokenizer = gpt2.open();
    EXPECT_EQ(tokenizer->leading_tokens(), Ids{1});
    EXPECT_TRUE(tokenizer->trailing_tokens().empty());
    EXPECT_EQ(tokenizer->end_token(), 1) << "the class's own";
    gpt2.with("tokenizer_config.json", R"({"tokenizer_class":"GPT2Tokenizer","eos_token":null})");
    EXPECT_EQ(gpt2.open()->end_token(), -1) << "a name set to null has no token";
}

// As the library: a list's new tokens are numbered from the number of tokens on, whatever the ids are.
TEST(JsonTokenizer, NewTokensBehindHoles) {
    const auto tokenizer =
        Folder()
            .with("tokenizer.json", R"({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0,"a":1,"b":7}},
            "added_tokens":[{"id":7,"content":"b"},{"id":8,"content":"x"}]})")
            .with("tokenizer_config.json", R"({"extra_special_tokens":["new"]})")
            .open();
    EXPECT_EQ(tokenizer->id_of("x"), 3);
    EXPECT_EQ(tokenizer->id_of("new"), 8);
}

// 200 kB of marks on one letter: sorted at once, not one by one.
TEST(JsonTokenizer, LongRunsOfMarksTakeLinearTime) {
    for (const std::string form : {"NFC", "NFD", "NFKC", "NFKD"}) {
        const auto tokenizer = Folder()
                                   .with("tokenizer.json", R"({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0}},
            "normalizer":{"type":")" + form + R"("},"added_tokens":[]})")
                                   .open();
        std::string text = "e";
        for (int i = 0; i < 50'000; ++i) text += i % 2 == 0 ? "\xcc\x81" : "\xcc\xa3";  // above, below
        for (int i = 0; i < 20'000; ++i) text += "\xe0\xbd\xb3";                        // two marks of its own
        EXPECT_EQ(tokenizer->encode(text, false), Ids{0});
    }
}

TEST(JsonTokenizer, WhatHasANameIsSpecial) {
    Folder folder;
    folder.with("tokenizer.json", kBytePairs)
        .with("tokenizer_config.json",
              R"({"eos_token":"<end>","added_tokens_decoder":{"12":{"content":"<end>","special":false},
            "13":{"content":"<other>","special":false}}})");
    const auto tokenizer = folder.open();
    EXPECT_EQ(tokenizer->decode({0, 12, 13}, false), "a<other>");
    EXPECT_NE(tokenizer->encode("a<end>", false).back(), 12) << "text alone";
    EXPECT_EQ(tokenizer->encode("a<end>", true), (Ids{0, 12}));
}

TEST(JsonTokenizer, LongWordsTakeLinearTime) {
    const auto tokenizer = Folder().with("tokenizer.json", kBytePairs).open();
    std::string word;
    while (word.size() < 1'000'000) word += "abcab";
    EXPECT_EQ(tokenizer->encode(word, false).size(), 400'000u);
}

TEST(JsonTokenizer, VocabulariesWithoutDescription) {
    Folder bert;
    bert.with("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nriver\n##s\nth\n##e\n");
    const auto pieces = bert.open();
    EXPECT_EQ(pieces->encode("The rivers [MASK] \xc3\xa9", true), (Ids{7, 8, 5, 6, 4, 1}));
    EXPECT_EQ(pieces->leading_tokens(), Ids{2});
    EXPECT_EQ(pieces->trailing_tokens(), Ids{3});
    EXPECT_EQ(pieces->decode({2, 7, 8, 5, 6, 3}, false), "the rivers");
    Folder gpt2;
    gpt2.with("vocab.json", R"({"a":0,"b":1,"ab":2,"<|endoftext|>":3,"Ġ":4})").with("merges.txt", "#version: 0.2\na b\n");
    EXPECT_NE(gpt2.error().find("GPT2Tokenizer, RobertaTokenizer"), std::string::npos) << gpt2.error();
    const auto pairs = gpt2.with("config.json", R"({"model_type":"gpt2"})").open();
    EXPECT_EQ(pairs->encode("ab a<|endoftext|>", true), (Ids{2, 4, 0, 3}));
}

TEST(JsonTokenizer, ErrorsNameFileAndComponent) {
    const auto error_of = [](const std::string& description) {
        return Folder().with("tokenizer.json", description).error();
    };
    const std::string model = R"("model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0}})";
    const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
        {"", {"tokenizer.json"}},
        {"[]", {"tokenizer.json", "an object"}},
        {"{}", {"field 'model'"}},
        {R"({"model":{"type":"Magic"}})", {"tokenizer.json: model", "unknown tokenizer model 'Magic'", "BPE, Unigram"}},
        {"{" + model + R"(,"normalizer":{"type":"Sequence","normalizers":[{"type":"NFX"}]}})",
         {"normalizers[0]", "'NFX'", "NFKC"}},
        {"{" + model + R"(,"pre_tokenizer":{"type":"UnicodeScripts"}})", {"pre_tokenizer", "'UnicodeScripts'", "Metaspace"}},
        {"{" + model + R"(,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a"},"behavior":"Isolated","invert":false}})",
         {"pattern", "(a"}},
        {"{" + model +
             R"(,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[a&&b]"},"behavior":"Isolated","invert":false}})",
         {"&&"}},
        {"{" + model + R"(,"decoder":{"type":"Rot13"}})", {"decoder", "'Rot13'"}},
        {"{" + model + R"(,"post_processor":{"type":"TemplateProcessing","single":[],"special_tokens":{}}})", {"single"}},
        {R"({"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}})", {"merges", "'b'"}},
        {R"({"model":{"type":"BPE","dropout":0.1,"vocab":{"a":0},"merges":[]}})", {"dropout"}},
        {R"({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":99999999999}}})", {"vocab", "99999999999"}},
    };
    for (const auto& [description, parts] : cases)
        for (const std::string& part : parts) {
            const std::string error = error_of(description);
            EXPECT_NE(error.find(part), std::string::npos) << description << "\n" << part << "\n" << error;
        }
}

TEST(JsonTokenizer, HopelessPatternsEndInAnError) {
    Folder folder;
    folder.with("tokenizer.json", R"json({"model":{"type":"WordLevel","unk_token":"u","vocab":{"u":0}},
        "pre_tokenizer":{"type":"Split","pattern":{"Regex":"(a|aa)+$(?<!a)"},"behavior":"Isolated","invert":false}})json");
    const auto tokenizer = folder.open();
    EXPECT_THROW(tokenizer->encode(std::string(100, 'a') + "b", false), Error);
}

// Bytes of a description changed here and there: refused, or usable.
TEST(JsonTokenizer, BrokenDescriptionsNeverCrash) {
    Rng rng(3, "broken tokenizers");
    const std::string letters = "{}[]\",:0129abc/\\ \xff\xc3";
    int opened = 0;
    for (int turn = 0; turn < 3000; ++turn) {
        std::string description = kBytePairs;
        for (uint64_t changes = 1 + rng.below(3); changes > 0; --changes) {
            const size_t at = rng.below(description.size());
            if (rng.below(3) == 0)
                description.erase(at, 1 + rng.below(6));
            else
                description[at] = letters[rng.below(letters.size())];
        }
        try {
            const JsonTokenizer tokenizer(parse_tokenizer_document(description, "broken"), {}, "broken");
            tokenizer.decode(tokenizer.encode("abc <s> newword \xc3\xa9", true), true);
            ++opened;
        } catch (const Error&) {}
    }
    EXPECT_GT(opened, 100);
}

}  // namespace
}  // namespace craft
