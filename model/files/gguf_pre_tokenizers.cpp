#include "model/files/gguf_pre_tokenizers.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

namespace {

const char* const kGpt2 = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
const char* const kDigits = R"(\p{N})";
const char* const kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kTekken = R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
                            R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
                            R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
const char* const kGpt4o =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?)"
    R"(|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

struct Known {
    std::vector<std::string> names;
    GgufPreTokenizer pre;
};

const std::vector<Known>& known_pre_tokenizers() {
    static const std::vector<Known> all = {
        // One entry a way of cutting, with all names that llama.cpp has for it.
        {{"gpt-2", "gpt2", "phi-2", "mpt", "olmo", "jais", "gigachat"}, {.expressions = {kGpt2}}},
        {{"smollm", "starcoder", "refact", "command-r", "codeshell"}, {.expressions = {kDigits, kGpt2}}},
        {{"llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral"},
         {.expressions = {kLlama3}, .takes_whole_words = true, .adds_bos = true}},
        {{"dbrx", "smaug-bpe"}, {.expressions = {kLlama3}}},
        {{"qwen2", "deepseek-r1-qwen"}, {.expressions = {kQwen2}, .normalises = true}},
        {{"stablelm2"}, {.expressions = {kQwen2}}},
        {{"tekken"}, {.expressions = {kTekken}, .takes_whole_words = true, .adds_bos = true}},
        {{"gpt-4o", "llama4"}, {.expressions = {kGpt4o}}},
    };
    return all;
}

}  // namespace

GgufPreTokenizer gguf_pre_tokenizer(const GgufFile& file) {
    const std::string key = "tokenizer.ggml.pre", name(file.text(key).value_or(""));
    std::string names;
    for (const Known& one : known_pre_tokenizers()) {
        if (std::find(one.names.begin(), one.names.end(), name) != one.names.end()) return one.pre;
        for (const std::string& known_name : one.names) names += (names.empty() ? "" : ", ") + known_name;
    }
    file.fail(key, "one of " + names,
              name.empty() ? "the file was written by an old converter: convert the model again"
                           : "words would be tokenised differently");
}

}  // namespace craft
