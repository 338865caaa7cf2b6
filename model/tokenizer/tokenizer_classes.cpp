#include "model/tokenizer/tokenizer_classes.h"

#include "core/files.h"

namespace craft {

namespace {

using ClassTokens = std::map<std::string, std::string>;  // by name

const std::map<std::string, ClassTokens>& class_tokens() {
    static const std::string end = "<|endoftext|>";
    static const ClassTokens bert = {{"unk_token", "[UNK]"},
                                     {"sep_token", "[SEP]"},
                                     {"pad_token", "[PAD]"},
                                     {"cls_token", "[CLS]"},
                                     {"mask_token", "[MASK]"}};
    static const ClassTokens roberta = {{"bos_token", "<s>"},    {"eos_token", "</s>"},  {"unk_token", "<unk>"},
                                        {"sep_token", "</s>"},   {"pad_token", "<pad>"}, {"cls_token", "<s>"},
                                        {"mask_token", "<mask>"}};
    static const std::map<std::string, ClassTokens> known = {
        {"GPT2Tokenizer", {{"bos_token", end}, {"eos_token", end}, {"unk_token", end}}},
        {"Qwen2Tokenizer", {{"eos_token", end}, {"unk_token", end}, {"pad_token", end}}},
        {"LlamaTokenizer", {{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}}},
        {"GemmaTokenizer",
         {{"bos_token", "<bos>"},
          {"eos_token", "<eos>"},
          {"unk_token", "<unk>"},
          {"pad_token", "<pad>"},
          {"mask_token", "<mask>"}}},
        {"T5Tokenizer", {{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}}},
        {"RobertaTokenizer", roberta},
        {"BartTokenizer", roberta},
        {"BertTokenizer", bert},
        {"DistilBertTokenizer", bert},
        {"ElectraTokenizer", bert},
    };
    return known;
}

std::string class_of_model(const std::string& type) {
    if (type == "gpt2") return "GPT2Tokenizer";
    if (type == "roberta") return "RobertaTokenizer";
    if (type == "bart") return "BartTokenizer";
    if (type == "t5") return "T5Tokenizer";
    if (type == "bert" || type == "distilbert" || type == "electra") return "BertTokenizer";
    if (type.starts_with("gemma")) return "GemmaTokenizer";
    return type.starts_with("qwen2") || type.starts_with("qwen3") ? "Qwen2Tokenizer" : "";
}

}  // namespace

std::string tokenizer_class_of(const ModelDocuments& model, const TokenizerConfig& config) {
    if (!config.tokenizer_class.empty()) return config.tokenizer_class;
    const std::string name = "config.json";
    if (!model.has(name)) return "";
    const TokenizerDocument json = parse_tokenizer_document(model.text(name), model.where(name));
    return class_of_model(Component(json, model.where(name)).optional_text("model_type").value_or(""));
}

void name_class_tokens(const std::string& tokenizer_class, TokenizerConfig& config) {
    const auto found = class_tokens().find(tokenizer_class);
    if (found == class_tokens().end()) return;
    for (const auto& [name, content] : found->second) {
        if (config.named.count(name) > 0 || config.nameless.count(name) > 0) continue;
        AddedToken token;
        token.content = content;
        token.special = true;
        token.normalized = false;
        config.named[name] = token;
    }
}

}  // namespace craft
