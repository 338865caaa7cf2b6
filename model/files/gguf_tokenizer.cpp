#include "model/files/gguf_tokenizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "core/error.h"
#include "model/files/gguf_pre_tokenizers.h"

namespace craft {

namespace {

// Objects sorted by key: a vocabulary has 10^5 of them, and Json looks for each among all before it.
using Document = nlohmann::json;

const std::string kPrefix = "tokenizer.ggml.";

// tokenizer.ggml.token_type; sentencepiece numbers them so too.
enum TokenType : int64_t { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };

struct Tokens {
    std::vector<std::string_view> texts;
    std::vector<int64_t> types;
};

Tokens read_tokens(const GgufFile& file) {
    Tokens tokens;
    const auto texts = file.texts(kPrefix + "tokens");
    if (!texts || texts->empty()) throw Error(file.path() + ": " + kPrefix + "tokens", "a vocabulary", "none");
    tokens.texts = *texts;
    tokens.types = file.integers(kPrefix + "token_type").value_or(std::vector<int64_t>(texts->size(), kNormal));
    if (tokens.types.size() != texts->size())
        file.fail(kPrefix + "token_type", "a type for each of " + std::to_string(texts->size()) + " tokens");
    for (const int64_t type : tokens.types)
        if (type < kNormal || type > kByte)
            throw Error(file.path() + ": " + kPrefix + "token_type", "types from 1 to 6", std::to_string(type));
    return tokens;
}

std::optional<int64_t> token_id(const GgufFile& file, const std::string& name, size_t vocabulary) {
    const std::string key = kPrefix + name + "_token_id";
    const std::optional<int64_t> id = file.integer(key);
    if (id && (*id < 0 || static_cast<uint64_t>(*id) >= vocabulary))
        file.fail(key, "one of " + std::to_string(vocabulary) + " tokens");
    return id;
}

bool adds_bos(const GgufFile& file, bool otherwise) {
    return file.flag(kPrefix + "add_bos_token").value_or(otherwise);
}

bool adds_bos(const GgufFile& file) {
    if (gguf_tokenizer_kind(file) == GgufTokenizerKind::sentencepiece) return adds_bos(file, true);
    return adds_bos(file, gguf_pre_tokenizer(file).adds_bos);
}

bool adds_eos(const GgufFile& file) {
    return file.flag(kPrefix + "add_eos_token").value_or(false);
}

template <class Value>
Value added_token(std::string_view text, int64_t type, bool strips_right) {
    return {{"content", std::string(text)}, {"lstrip", false},      {"normalized", false},
            {"rstrip", strips_right},       {"single_word", false}, {"special", type != kUserDefined}};
}

// What llama.cpp does for Phi-3, whose metadata cannot say it: blanks after these tokens belong to them.
bool strips_right(const GgufFile& file, std::string_view text, int64_t type) {
    if (file.required_text("general.architecture") != "phi3" ||
        gguf_tokenizer_kind(file) != GgufTokenizerKind::sentencepiece)
        return false;
    return text == "</s>" || (type == kControl && text != "<s>" && text != "<|endoftext|>");
}

bool is_added(int64_t type) {
    return type == kControl || type == kUserDefined;
}

// "<s>": "<s>" with what surrounds a text, as tokenizers' TemplateProcessing.
Document post_processor(const GgufFile& file, const Tokens& tokens) {
    Document single = Document::array(), special = Document::object();
    const auto add = [&](const std::string& name) {
        const std::optional<int64_t> id = token_id(file, name, tokens.texts.size());
        if (!id) return;
        const std::string text(tokens.texts[static_cast<size_t>(*id)]);
        single.push_back({{"SpecialToken", {{"id", text}, {"type_id", 0}}}});
        special[text] = {{"id", text}, {"ids", {*id}}, {"tokens", {text}}};
    };
    if (adds_bos(file)) add("bos");
    single.push_back({{"Sequence", {{"id", "A"}, {"type_id", 0}}}});
    if (adds_eos(file)) add("eos");
    Document pair = single;
    for (Document part : single) {
        for (auto& [kind, value] : part.items()) {
            value["type_id"] = 1;
            if (kind == "Sequence") value["id"] = "B";
        }
        pair.push_back(part);
    }
    return {{"type", "TemplateProcessing"}, {"single", single}, {"pair", pair}, {"special_tokens", special}};
}

// The fields of sentencepiece's model, as protobuf writes them.
class Message {
public:
    void number(uint32_t field, uint64_t value) {
        varint(field << 3);
        varint(value);
    }
    void text(uint32_t field, std::string_view value) {
        varint(field << 3 | 2);
        varint(value.size());
        bytes_ += value;
    }
    void real(uint32_t field, float value) {
        varint(field << 3 | 5);
        std::array<char, sizeof value> raw{};
        std::memcpy(raw.data(), &value, sizeof value);
        bytes_.append(raw.data(), raw.size());
    }
    const std::string& bytes() const { return bytes_; }

private:
    void varint(uint64_t value) {
        for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
        bytes_ += static_cast<char>(value);
    }
    std::string bytes_;
};

}  // namespace

GgufTokenizerKind gguf_tokenizer_kind(const GgufFile& file) {
    const std::string model = file.required_text(kPrefix + "model");
    if (model == "gpt2") return GgufTokenizerKind::byte_pairs;
    if (model == "llama") return GgufTokenizerKind::sentencepiece;
    file.fail(kPrefix + "model", "gpt2 or llama", "other tokenizers are not supported");
}

std::string gguf_tokenizer_json(const GgufFile& file) {
    const Tokens tokens = read_tokens(file);
    const GgufPreTokenizer pre = gguf_pre_tokenizer(file);
    const auto merges = file.texts(kPrefix + "merges");
    if (!merges) throw Error(file.path() + ": " + kPrefix + "merges", "the merges of the vocabulary", "none");
    Document vocabulary = Document::object(), added = Document::array();
    for (size_t i = 0; i < tokens.texts.size(); ++i) {
        if (tokens.types[i] == kUnused) continue;  // converters fill holes with "[PAD32000]"
        const std::string text(tokens.texts[i]);
        if (!vocabulary.emplace(text, i).second)
            throw Error(file.path() + ": " + kPrefix + "tokens", "each token once",
                        "number " + std::to_string(i) + " twice");
        if (!is_added(tokens.types[i])) continue;
        added.push_back(added_token<Document>(text, tokens.types[i], false));
        added.back()["id"] = i;
    }
    Document pairs = Document::array();
    for (const std::string_view merge : *merges) pairs.push_back(std::string(merge));
    const bool prefix = file.flag(kPrefix + "add_space_prefix").value_or(false);
    const Document byte_level = {
        {"type", "ByteLevel"}, {"add_prefix_space", prefix}, {"trim_offsets", true}, {"use_regex", false}};
    Document parts = Document::array();
    for (const std::string& expression : pre.expressions)
        parts.push_back(
            {{"type", "Split"}, {"pattern", {{"Regex", expression}}}, {"behavior", "Isolated"}, {"invert", false}});
    parts.push_back(byte_level);
    const Document document = {{"version", "1.0"},
                               {"truncation", nullptr},
                               {"padding", nullptr},
                               {"added_tokens", std::move(added)},
                               {"normalizer", pre.normalises ? Document{{"type", "NFC"}} : Document()},
                               {"pre_tokenizer", {{"type", "Sequence"}, {"pretokenizers", std::move(parts)}}},
                               {"post_processor", post_processor(file, tokens)},
                               {"decoder", byte_level},
                               {"model",
                                {{"type", "BPE"},
                                 {"dropout", nullptr},
                                 {"unk_token", nullptr},
                                 {"continuing_subword_prefix", nullptr},
                                 {"end_of_word_suffix", nullptr},
                                 {"fuse_unk", false},
                                 {"byte_fallback", false},
                                 {"ignore_merges", pre.takes_whole_words},
                                 {"vocab", std::move(vocabulary)},
                                 {"merges", std::move(pairs)}}}};
    return document.dump();
}

std::string gguf_sentencepiece_model(const GgufFile& file) {
    const Tokens tokens = read_tokens(file);
    const auto scores = file.floats(kPrefix + "scores");
    if (!scores || scores->size() != tokens.texts.size())
        file.fail(kPrefix + "scores", "a score for each of " + std::to_string(tokens.texts.size()) + " tokens");
    // Numbers of sentencepiece_model.proto.
    Message model;
    for (size_t i = 0; i < tokens.texts.size(); ++i) {
        Message piece;
        piece.text(1, tokens.texts[i]);
        piece.real(2, (*scores)[i]);
        piece.number(3, static_cast<uint64_t>(tokens.types[i]));
        model.text(1, piece.bytes());
    }
    Message trainer;
    constexpr uint64_t kBytePairs = 2;
    trainer.number(3, kBytePairs);
    trainer.number(4, tokens.texts.size());
    const bool has_bytes = std::find(tokens.types.begin(), tokens.types.end(), kByte) != tokens.types.end();
    trainer.number(35, has_bytes ? 1 : 0);
    constexpr std::array<std::pair<const char*, uint32_t>, 4> kNamed = {
        {{"unknown", 0}, {"bos", 1}, {"eos", 2}, {"padding", 3}}};
    for (const auto& [name, place] : kNamed) {
        constexpr uint32_t kIds = 40, kPieces = 45;
        const std::optional<int64_t> id = token_id(file, name, tokens.texts.size());
        trainer.number(kIds + place, static_cast<uint64_t>(id.value_or(-1)));
        if (id) trainer.text(kPieces + place, tokens.texts[static_cast<size_t>(*id)]);
    }
    model.text(2, trainer.bytes());
    Message normalizer;
    normalizer.text(1, "identity");
    normalizer.number(3, file.flag(kPrefix + "add_space_prefix").value_or(true) ? 1 : 0);
    normalizer.number(4, file.flag(kPrefix + "remove_extra_whitespaces").value_or(false) ? 1 : 0);
    normalizer.number(5, 1);
    model.text(3, normalizer.bytes());
    return model.bytes();
}

Json gguf_tokenizer_config(const GgufFile& file) {
    const Tokens tokens = read_tokens(file);
    const bool is_pairs = gguf_tokenizer_kind(file) == GgufTokenizerKind::byte_pairs;
    const bool is_gemma = file.required_text("general.architecture") == "gemma2";
    Json added = Json::object(), config = Json::object();
    // Sentencepiece finds user-defined pieces itself, blanks around them included.
    const std::set<int64_t> listed =
        is_pairs ? std::set<int64_t>{kControl, kUserDefined} : std::set<int64_t>{kControl, kUnknown};
    for (size_t i = 0; i < tokens.texts.size(); ++i)
        if (listed.count(tokens.types[i]) > 0)
            added[std::to_string(i)] =
                added_token<Json>(tokens.texts[i], tokens.types[i], strips_right(file, tokens.texts[i], tokens.types[i]));
    config["tokenizer_class"] = is_pairs ? "PreTrainedTokenizerFast" : is_gemma ? "GemmaTokenizer" : "LlamaTokenizer";
    config["add_bos_token"] = adds_bos(file);
    config["add_eos_token"] = adds_eos(file);
    config["add_prefix_space"] = file.flag(kPrefix + "add_space_prefix").value_or(!is_pairs);
    config["clean_up_tokenization_spaces"] = false;
    if (!is_pairs) config["legacy"] = true;  // a leading blank in every part of a text, as in llama.cpp
    for (const auto& [key, name] :
         {std::pair{"bos", "bos_token"}, {"eos", "eos_token"}, {"unknown", "unk_token"}, {"padding", "pad_token"}}) {
        const std::optional<int64_t> id = token_id(file, key, tokens.texts.size());
        config[name] = id ? Json(std::string(tokens.texts[static_cast<size_t>(*id)])) : Json();
    }
    config["added_tokens_decoder"] = std::move(added);
    return config;
}

std::vector<int64_t> gguf_end_tokens(const GgufFile& file) {
    const Tokens tokens = read_tokens(file);
    std::vector<int64_t> ends;
    const auto add = [&](std::optional<int64_t> id) {
        if (id && std::find(ends.begin(), ends.end(), *id) == ends.end()) ends.push_back(*id);
    };
    add(token_id(file, "eos", tokens.texts.size()));
    const std::optional<int64_t> turn = token_id(file, "eot", tokens.texts.size());
    add(turn);
    add(token_id(file, "eom", tokens.texts.size()));
    if (turn) return ends;
    static const std::set<std::string_view> spelled = {"<|eot_id|>",    "<|im_end|>", "<|end|>", "<end_of_turn>",
                                                       "<|endoftext|>", "<|eom_id|>", "<EOT>"};
    for (size_t i = 0; i < tokens.texts.size(); ++i)
        if (is_added(tokens.types[i]) && spelled.count(tokens.texts[i]) > 0) add(static_cast<int64_t>(i));
    return ends;
}

}  // namespace craft
