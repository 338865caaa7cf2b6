// Tokenizers that a tokenizer.json describes, as the `tokenizers` library runs them. Inside model/tokenizer/ only.
#pragma once

#include <memory>
#include <string>

#include "model/tokenizer/added_tokens.h"
#include "model/tokenizer/component.h"
#include "model/tokenizer/normalizers.h"
#include "model/tokenizer/post_processors.h"
#include "model/tokenizer/pre_tokenizers.h"
#include "model/tokenizer/token_decoders.h"
#include "model/tokenizer/token_model.h"
#include "model/tokenizer/tokenizer.h"
#include "model/tokenizer/tokenizer_config.h"
#include "model/tokenizer/word_cache.h"

namespace craft {

// Texts that are not UTF-8 are encoded with U+FFFD for every maximal part that is not.
class JsonTokenizer final : public Tokenizer {
public:
    // `where` names the file. Throws Error naming file and component: no tokenizer, or a component that is not known.
    JsonTokenizer(const TokenizerDocument& document, const TokenizerConfig& config, const std::string& where);

    std::vector<int64_t> encode_around(std::string_view text, const std::vector<ByteRange>& literal) const override;
    // Ids that are no tokens have no text.
    std::string decode(const std::vector<int64_t>& ids, bool keep_special) const override;
    int64_t vocabulary_size() const override;
    int64_t id_of(std::string_view piece) const override;
    std::vector<int64_t> leading_tokens() const override { return around_.leading; }
    std::vector<int64_t> trailing_tokens() const override { return around_.trailing; }
    int64_t end_token() const override { return end_; }
    std::optional<std::string> bytes_of(int64_t id) const override;
    size_t unsettled_tokens(const std::vector<int64_t>& ids, bool keep_special) const override;

private:
    void add_tokens(const Component& root, const TokenizerConfig& config);
    void read_ends(const Component& root, const TokenizerConfig& config);
    std::vector<std::string> spellings(const std::vector<int64_t>& ids, bool keep_special) const;
    void encode_plain(std::string_view text, bool at_start, bool with_special, WordCache& cache,
                      std::vector<int64_t>& ids) const;
    void encode_words(std::string_view text, bool at_start, WordCache& cache, std::vector<int64_t>& ids) const;

    std::unique_ptr<Normalizer> normalizer_;       // nullptr: none
    std::unique_ptr<PreTokenizer> pre_tokenizer_;  // nullptr: none, a text is one word
    std::unique_ptr<TokenDecoder> decoder_;        // nullptr: none, tokens stand with blanks between them
    std::unique_ptr<TokenModel> model_;
    AddedTokens added_;
    TokensAround around_;
    int64_t end_ = -1;
    bool byte_alphabet_ = false;  // words are mapped to GPT-2's alphabet before the model sees them
    mutable WordCaches caches_;
};

}  // namespace craft
