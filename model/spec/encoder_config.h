// What encoders and encoder-decoders are made of: the sizes and choices of config.json in BERT, RoBERTa and BART.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "model/spec/decoder_config.h"

namespace craft {

// Blocks of attention and a feed-forward part, each of which is added to its input and normed after that.
struct StackConfig {
    int64_t layers = 0, heads = 0, intermediate_size = 0;
};

struct EncoderConfig {
    std::string architecture;  // as config.json names it: "BertModel"
    int64_t vocab_size = 0, hidden_size = 0;
    int64_t position_rows = 0;  // of the table of learned positions
    int64_t type_count = 0;     // of the table of token types; 0: there are none
    StackConfig stack;
    double norm_eps = 1e-12;
    Activation activation = Activation::gelu;
    double embedding_scale = 1;
    // Row of the table for a token: first_position + its index. Where tokens are counted without those of id
    // `padding`, these all take row `padding` (RoBERTa).
    int64_t first_position = 0;
    int64_t padding = -1;         // -1: every token counts
    bool regression = false;      // a head gives one number for a row
    bool tied_embeddings = true;  // of an encoder-decoder: one matrix for both halves and the head

    int64_t max_tokens() const { return position_rows - first_position; }  // that are counted
};

struct Seq2SeqConfig {
    EncoderConfig encoder;
    StackConfig decoder;
    int64_t start_token = -1;  // what the decoder's input begins with
};

// Who loads a model: Decoder (also T5, whose decoder stands behind an encoder), Encoder or Seq2Seq.
enum class ModelKind { decoder, encoder, encoder_decoder };

// What the folder's config.json describes, by `architectures`, else `model_type`; what it holds besides is not read. Throws
// Error naming file and key, with the known names.
ModelKind model_kind(const std::filesystem::path& model);

// Both throw Error naming file and key: another kind of model (the known ones are listed), missing or inconsistent sizes, an
// option that is not supported. Of an encoder-decoder the first reads the encoder.
EncoderConfig read_encoder_config(const std::filesystem::path& model_folder);
Seq2SeqConfig read_seq2seq_config(const std::filesystem::path& model_folder);

// The model_folder's config.json alone, and generation_config.json if there is one.
class ConfigReader;
EncoderConfig parse_encoder_config(const ConfigReader& config);
Seq2SeqConfig parse_seq2seq_config(const ConfigReader& config, const ConfigReader* generation);

}  // namespace craft
