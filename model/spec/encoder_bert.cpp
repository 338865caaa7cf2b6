// BERT and RoBERTa: the same tensors, other positions and another regression head.
#include "model/spec/architecture.h"
#include "model/spec/encoder_family.h"

namespace craft {

void read_bert_sizes(const ConfigReader& reader, EncoderConfig& config) {
    read_sizes(reader, {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"}, config);
    config.position_rows = reader.size("max_position_embeddings", 512);
    config.type_count = reader.size("type_vocab_size", 2);
    config.norm_eps = reader.number("layer_norm_eps", 1e-12);
    config.activation = activation_named(reader, "hidden_act", "gelu");
    reader.expect_absent_or("position_embedding_type", "absolute");
    reader.expect_absent_or("pruned_heads", Json::object());
    for (const char* key : {"is_decoder", "add_cross_attention"}) reader.expect_absent_or(key, false);
}

int64_t label_count(const ConfigReader& reader) {
    const Json* labels = reader.find("id2label");
    if (labels == nullptr) return reader.size("num_labels", 2);
    if (!labels->is_object()) reader.fail("id2label", "an object of labels");
    return static_cast<int64_t>(labels->size());
}

namespace {

// Positions begin after the padding's row and count the other tokens.
void read_roberta(const ConfigReader& reader, EncoderConfig& config) {
    read_bert_sizes(reader, config);
    if (reader.has("pad_token_id") && reader.find("pad_token_id") == nullptr)
        reader.fail("pad_token_id", "a token id: positions begin after it");
    const std::vector<int64_t> padding = reader.tokens("pad_token_id");
    config.padding = padding.empty() ? 1 : padding.front();
    if (padding.size() > 1 || config.padding < 0 || config.padding >= config.vocab_size)
        reader.fail("pad_token_id", "a token id below vocab_size");
    config.first_position = config.padding + 1;
    if (config.first_position >= config.position_rows)
        reader.fail("max_position_embeddings", "more than pad_token_id + 1, where positions begin");
}

StackNames bert_names() {
    StackNames n;
    n.words = {"embeddings.word_embeddings"};
    n.positions = "embeddings.position_embeddings";
    n.types = "embeddings.token_type_embeddings";
    n.embedding_norm = "embeddings.LayerNorm";
    n.layers = "encoder.layer.";
    n.self = {"attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
              "attention.output.LayerNorm"};
    n.up = "intermediate.dense";
    n.down = "output.dense";
    n.norm = "output.LayerNorm";
    return n;
}

const std::vector<std::string> kConstants = {"embeddings.position_ids", "embeddings.token_type_ids"};

}  // namespace

const EncoderFamily kBert = {"bert",
                             {"BertModel", "BertForSequenceClassification", "BertForMaskedLM", "BertForPreTraining",
                              "BertForNextSentencePrediction", "BertForTokenClassification", "BertForQuestionAnswering"},
                             {"BertForSequenceClassification"},
                             "bert.pooler.dense",
                             "classifier",
                             "bert.",
                             read_bert_sizes,
                             bert_names(),
                             {},
                             {"pooler.", "cls.", "classifier.", "qa_outputs."},
                             kConstants};

const EncoderFamily kRoberta = {"roberta",
                                {"RobertaModel", "RobertaForSequenceClassification", "RobertaForMaskedLM",
                                 "RobertaForTokenClassification", "RobertaForQuestionAnswering"},
                                {"RobertaForSequenceClassification"},
                                "classifier.dense",
                                "classifier.out_proj",
                                "roberta.",
                                read_roberta,
                                bert_names(),
                                {},
                                {"pooler.", "lm_head.", "classifier.", "qa_outputs."},
                                kConstants};

}  // namespace craft
