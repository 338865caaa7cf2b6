// Tokenizers of GGUF files: stored ones, written into the metadata as llama.cpp's converters do, encode and decode as their
// libraries do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "model/tokenizer/component.h"
#include "model/tokenizer/protobuf_fields.h"
#include "tests/core/temporary_folder.h"
#include "tests/model/files/gguf_writer.h"
#include "tests/model/tokenizer/tokenizer_expectations.h"
#include "tests/source.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::GgufWriter;
using test::raw;
using testing::HasSubstr;

const fs::path kStoredTokenizers = test_source("/tests/model/tokenizer/stored");

// The stored tokenizer.json as metadata; its added tokens that are special become control tokens.
GgufWriter byte_pairs(const std::string& name, const std::string& pre) {
    const std::string file = (kStoredTokenizers / "tokenizers" / name / "tokenizer.json").string();
    const TokenizerDocument json = parse_tokenizer_document(read_file(file), file);
    std::vector<std::string> tokens, merges;
    std::vector<int32_t> types;
    const auto place = [&](const std::string& text, size_t id, int32_t type) {
        if (tokens.size() <= id) {
            tokens.resize(id + 1, "hole");
            types.resize(id + 1, 5);
        }
        tokens[id] = text;
        types[id] = type;
    };
    for (const auto& [text, id] : json["model"]["vocab"].items()) place(text, id.get<size_t>(), 1);
    for (const auto& token : json["added_tokens"])
        place(token["content"].get<std::string>(), token["id"].get<size_t>(), token["special"].get<bool>() ? 3 : 4);
    for (size_t i = 0; i < tokens.size(); ++i)
        if (types[i] == 5) tokens[i] = "[PAD" + std::to_string(i) + "]";
    for (const auto& merge : json["model"]["merges"])
        merges.push_back(merge[0].get<std::string>() + " " + merge[1].get<std::string>());
    GgufWriter writer;
    writer.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", pre).texts("tokenizer.ggml.tokens", tokens);
    return writer.numbers("tokenizer.ggml.token_type", 5, types).texts("tokenizer.ggml.merges", merges);
}

// Added tokens with what GGUF does not say of one: that it takes blanks around it or stands alone, or is found in normalised
// text.
std::vector<std::string> beyond_gguf(const std::string& name) {
    const std::string file = (kStoredTokenizers / "tokenizers" / name / "tokenizer.json").string();
    const TokenizerDocument json = parse_tokenizer_document(read_file(file), file);
    std::vector<std::string> found;
    for (const auto& token : json["added_tokens"])
        for (const char* key : {"lstrip", "rstrip", "single_word", "normalized"})
            if (token[key].get<bool>()) found.push_back(token["content"].get<std::string>());
    return found;
}

// The stored tokenizer.model as metadata.
GgufWriter pieces(const std::string& name) {
    const std::string bytes = read_file(kStoredTokenizers / "folders" / name / "tokenizer.model");
    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<int32_t> types;
    GgufWriter writer;
    for_each_field(bytes, name, [&](const ProtobufField& field) {
        if (field.number == 1) {
            types.push_back(1);
            for_each_field(field.bytes, name, [&](const ProtobufField& part) {
                if (part.number == 1) tokens.emplace_back(part.bytes);
                if (part.number == 2) scores.push_back(part.as_float(name));
                if (part.number == 3) types.back() = static_cast<int32_t>(part.value);
            });
        } else if (field.number == 3) {
            for_each_field(field.bytes, name, [&](const ProtobufField& part) {
                if (part.number == 3) writer.flag("tokenizer.ggml.add_space_prefix", part.value != 0);
                if (part.number == 4) writer.flag("tokenizer.ggml.remove_extra_whitespaces", part.value != 0);
            });
        }
    });
    writer.text("tokenizer.ggml.model", "llama").texts("tokenizer.ggml.tokens", tokens);
    writer.numbers("tokenizer.ggml.scores", 6, scores).numbers("tokenizer.ggml.token_type", 5, types);
    return writer.u32("tokenizer.ggml.unknown_token_id", 0)
        .u32("tokenizer.ggml.bos_token_id", 1)
        .u32("tokenizer.ggml.eos_token_id", 2);
}

class GgufTokenizer : public testing::Test {
protected:
    std::shared_ptr<Tokenizer> open(const GgufWriter& writer) const {
        return open_tokenizer(folder_.file("x.gguf", writer.bytes()));
    }
    std::string refusal_of(const GgufWriter& writer) const {
        return message_of([&] { open(writer); });
    }
    // Every row, by the tokenizer of the file and by the one that is copied from it into a folder.
    void expect_as_library_of(const GgufWriter& writer, const fs::path& rows,
                              const std::vector<std::string>& beyond = {}) const {
        const std::string file = folder_.file("x.gguf", writer.bytes());
        copy_tokenizer(file, folder_.path() / "copy");
        const auto direct = open_tokenizer(file), copied = open_tokenizer(folder_.path() / "copy");
        JsonLinesReader reader(rows.string());
        int64_t count = 0;
        while (const auto row = reader.next()) {
            const std::string text = row->value("text", "");
            if (std::any_of(beyond.begin(), beyond.end(),
                            [&](const std::string& one) { return text.find(one) != text.npos; }))
                continue;
            ++count;
            test::expect_as_library(*direct, *row, "GGUF");
            test::expect_as_library(*copied, *row, "copy");
        }
        EXPECT_GT(count, 20);
    }
    TemporaryFolder folder_;
};

TEST_F(GgufTokenizer, BytePairsAsTheTokenizersLibrary) {
    expect_as_library_of(byte_pairs("gpt2", "gpt-2"), kStoredTokenizers / "tokenizers/gpt2/expected.jsonl",
                         beyond_gguf("gpt2"));
    expect_as_library_of(byte_pairs("llama3", "llama-bpe").u32("tokenizer.ggml.bos_token_id", 0),
                         kStoredTokenizers / "tokenizers/llama3/expected.jsonl", beyond_gguf("llama3"));
    expect_as_library_of(byte_pairs("qwen2", "qwen2"), kStoredTokenizers / "tokenizers/qwen2/expected.jsonl",
                         beyond_gguf("qwen2"));
}

TEST_F(GgufTokenizer, PiecesAsSentencepiece) {
    expect_as_library_of(pieces("pieces-0").flag("tokenizer.ggml.add_bos_token", false),
                         kStoredTokenizers / "folders/pieces-0/expected.jsonl");
}

TEST_F(GgufTokenizer, WhatStandsAroundATextIsTheFilesOrTheKinds) {
    const GgufWriter gpt2 =
        byte_pairs("gpt2", "gpt-2").u32("tokenizer.ggml.bos_token_id", 1).u32("tokenizer.ggml.eos_token_id", 2);
    EXPECT_TRUE(open(gpt2)->leading_tokens().empty());
    EXPECT_EQ(open(gpt2)->end_token(), 2);
    EXPECT_EQ(open(GgufWriter(gpt2).flag("tokenizer.ggml.add_bos_token", true))->leading_tokens(), std::vector<int64_t>{1});
    EXPECT_EQ(open(GgufWriter(gpt2).flag("tokenizer.ggml.add_eos_token", true))->trailing_tokens(), std::vector<int64_t>{2});
    const GgufWriter llama3 = byte_pairs("llama3", "llama-bpe").u32("tokenizer.ggml.bos_token_id", 0);
    EXPECT_EQ(open(llama3)->leading_tokens(), std::vector<int64_t>{0}) << "Llama 3 begins texts, said or not";
    EXPECT_TRUE(open(GgufWriter(llama3).flag("tokenizer.ggml.add_bos_token", false))->leading_tokens().empty());
    EXPECT_EQ(open(pieces("pieces-0"))->leading_tokens(), std::vector<int64_t>{1}) << "and so does Llama";
    EXPECT_EQ(open(pieces("pieces-0"))->end_token(), 2);
}

// One digit at a time, then GPT-2's words: what SmolLM's tokenizer.json says with Digits and ByteLevel.
TEST_F(GgufTokenizer, SmolLmCutsDigitsApart) {
    GgufWriter writer;
    writer.text("tokenizer.ggml.model", "gpt2").text("tokenizer.ggml.pre", "smollm");
    writer.texts("tokenizer.ggml.tokens", {"1", "2", "12", "a", "Ġ", "Ġa", "Ġ1"});
    writer.texts("tokenizer.ggml.merges", {"1 2", "Ġ a", "Ġ 1"});
    EXPECT_EQ(open(writer)->encode("12 a 1", true), (std::vector<int64_t>{0, 1, 5, 4, 0}));
}

TEST_F(GgufTokenizer, TokensOfPhi3TakeTheBlanksBehindThem) {
    GgufWriter writer("phi3");
    writer.text("tokenizer.ggml.model", "llama");
    writer.texts("tokenizer.ggml.tokens", {"<unk>", "<s>", "</s>", "▁", "a", "<|end|>"});
    writer.numbers<int32_t>("tokenizer.ggml.token_type", 5, {2, 3, 4, 1, 1, 3});
    writer.numbers<float>("tokenizer.ggml.scores", 6, {0, 0, 0, -1, -2, 0}).u32("tokenizer.ggml.unknown_token_id", 0);
    EXPECT_EQ(open(writer)->encode("a<|end|> \na", true), (std::vector<int64_t>{3, 4, 5, 3, 4}));
}

TEST_F(GgufTokenizer, RefusalsNameTheKey) {
    EXPECT_THAT(refusal_of(byte_pairs("gpt2", "falcon")),
                HasSubstr("x.gguf: tokenizer.ggml.pre: expected one of gpt-2, gpt2, phi-2"));
    EXPECT_THAT(refusal_of(byte_pairs("gpt2", "falcon")), HasSubstr("got 'falcon' (words would be tokenised differently)"));
    GgufWriter none;
    none.text("tokenizer.ggml.model", "gpt2").texts("tokenizer.ggml.tokens", {"a"}).texts("tokenizer.ggml.merges", {});
    EXPECT_THAT(refusal_of(none),
                HasSubstr("got nothing (the file was written by an old converter: convert the model again)"));
    EXPECT_THAT(refusal_of(GgufWriter().text("tokenizer.ggml.model", "rwkv")),
                HasSubstr("tokenizer.ggml.model: expected gpt2 or llama, got 'rwkv'"));
    EXPECT_THAT(refusal_of(GgufWriter()), HasSubstr("expected the key 'tokenizer.ggml.model', got none"));
    const auto spm = [] { return GgufWriter().text("tokenizer.ggml.model", "llama"); };
    EXPECT_THAT(refusal_of(spm()), HasSubstr("tokenizer.ggml.tokens: expected a vocabulary, got none"));
    EXPECT_THAT(refusal_of(spm().texts("tokenizer.ggml.tokens", {"a", "b"}).numbers<float>("tokenizer.ggml.scores", 6, {1})),
                HasSubstr("tokenizer.ggml.scores: expected a score for each of 2 tokens, got 1 numbers"));
    EXPECT_THAT(
        refusal_of(spm().texts("tokenizer.ggml.tokens", {"a"}).numbers<int32_t>("tokenizer.ggml.token_type", 5, {7})),
        HasSubstr("tokenizer.ggml.token_type: expected types from 1 to 6, got 7"));
    EXPECT_THAT(refusal_of(pieces("pieces-0").u32("tokenizer.ggml.padding_token_id", 1000000)),
                HasSubstr("tokenizer.ggml.padding_token_id: expected one of 420 tokens, got 1000000"));
    GgufWriter twice;
    twice.text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", "gpt-2")
        .texts("tokenizer.ggml.tokens", {"a", "a"});
    EXPECT_THAT(refusal_of(twice.texts("tokenizer.ggml.merges", {})),
                HasSubstr("tokenizer.ggml.tokens: expected each token once"));
}

}  // namespace
}  // namespace craft
