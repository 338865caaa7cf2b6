// The families of encoders and encoder-decoders: what config.json means in each and how its tensors are named. One file a
// family (encoder_<name>.cpp) and one line in encoder_families(). Inside model/ only.
#pragma once

#include <string>
#include <vector>

#include "model/spec/config_reader.h"
#include "model/spec/encoder_config.h"

namespace craft {

// Names without ".weight" and ".bias".
struct AttentionNames {
    std::string q, k, v, o, norm;
};
struct StackNames {
    // Where the word embeddings stand; the first is the place of their own, the others hold the same matrix where weights
    // are tied and files keep one of them.
    std::vector<std::string> words;
    std::string positions, types, embedding_norm;  // `types` empty: there are none
    std::string layers;                            // "encoder.layer.", before a layer's number
    AttentionNames self, cross;                    // after "<layers><number>."; `cross` empty in an encoder
    std::string up, down, norm;                    // likewise: the feed-forward part
};

struct EncoderFamily {
    std::string model_type;  // in "model_type"
    // In "architectures": the first is taken where the key is missing. The regression head, of those that have one, is
    // linear(tanh(linear(first token))).
    std::vector<std::string> architectures;
    std::vector<std::string> with_regression;
    std::string score_dense, score_out;
    std::string prefix;  // of the body's tensors; files without it are read too
    // Fills in what belongs to the family alone. Throws Error on what it does not have.
    void (*read)(const ConfigReader& reader, EncoderConfig& config);
    StackNames encoder, decoder;         // `decoder` empty: an encoder alone
    std::vector<std::string> heads;      // beginnings of names (after the prefix too) that are left out, and said so
    std::vector<std::string> constants;  // endings of names that old exports keep
};

const std::vector<const EncoderFamily*>& encoder_families();
// nullptr if config.json names none of them; `name` becomes the architecture's.
const EncoderFamily* find_encoder_family(const ConfigReader& reader, std::string* name = nullptr);
const EncoderFamily& encoder_family_of(const EncoderConfig& config);

// Parts of `read` that several share. What a family calls the sizes of a stack:
struct StackKeys {
    std::string hidden, layers, heads, feed_forward;
};
// Throws Error unless the heads divide the hidden size.
StackConfig read_stack(const ConfigReader& reader, const StackKeys& keys, int64_t hidden_size);
// With them the vocabulary and the hidden size.
void read_sizes(const ConfigReader& reader, const StackKeys& keys, EncoderConfig& config);
// BERT's, and what else it has.
void read_bert_sizes(const ConfigReader& reader, EncoderConfig& config);
// Labels of a classifier: those of id2label, else num_labels, else 2.
int64_t label_count(const ConfigReader& reader);

// One line a family, each in its file.
extern const EncoderFamily kBert, kRoberta, kBart;

}  // namespace craft
