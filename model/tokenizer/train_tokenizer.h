// `tokenizer train`: a sentencepiece model from texts, with everything a model folder needs of a tokenizer.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace craft {

enum class TokenizerModel { bpe, unigram };

inline constexpr int64_t kSmallestVocabulary = 264;  // 6 special tokens, 256 bytes, the newline and one character
inline constexpr int64_t kLargestVocabulary = 1'000'000;

struct TokenizerTraining {
    int64_t vocabulary_size = 8000;
    TokenizerModel model = TokenizerModel::bpe;
    // Spellings that are single tokens wherever they occur, and tokens of ordinary text.
    std::vector<std::string> symbols = {};
};

// Why these spellings cannot all be symbols ("expected ..., got ..."), or "".
std::string symbols_problem(const std::vector<std::string>& symbols);

// The texts one after another; nullopt at the end.
using TextSource = std::function<std::optional<std::string>()>;

// Writes tokenizer.model, tokenizer_config.json, special_tokens_map.json and chat_template.jinja (ChatML) to `folder`, each
// whole or not at all. Texts are not normalised: every UTF-8 text comes back as it was. Bytes stand in for rare characters,
// digits are tokens of their own, so is the newline; the special tokens <unk> <s> </s> <pad> <|im_start|> <|im_end|> have
// the ids 0 to 5. The same texts give the same bytes. Throws Error: no text, texts that are not UTF-8, a vocabulary too
// large or too small for the texts.
void train_tokenizer(const TextSource& texts, const TokenizerTraining& options, const std::filesystem::path& folder);

}  // namespace craft
