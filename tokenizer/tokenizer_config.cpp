#include "tokenizer/tokenizer_config.h"

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

void read_added_tokens_decoder(const Component& config, TokenizerConfig& out) {
    if (!config.has("added_tokens_decoder")) return;
    std::map<int64_t, AddedToken> by_id;
    const std::string where = config.where() + ": added_tokens_decoder";
    for (const auto& [key, value] : config.object("added_tokens_decoder").items()) {
        if (key.empty() || key.size() > 9 || key.find_first_not_of("0123456789") != std::string::npos)
            throw Error(where, "token ids with their content", "'" + key + "'");
        by_id[std::stoll(key)] = read_added_token(value, where + " " + key);
    }
    for (auto& [id, token] : by_id) out.added.push_back(std::move(token));
}

// The special tokens of either file; what is there already stays.
void read_special_tokens(const Component& file, TokenizerConfig& out) {
    for (const std::string name :
         {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}) {
        if (!file.has(name) || out.named.count(name) > 0) continue;
        AddedToken token = read_added_token(file.json()[name], file.where() + ": " + name);
        token.special = true;
        if (!token.content.empty()) out.named[name] = token;
    }
    for (const std::string list : {"additional_special_tokens", "extra_special_tokens"}) {
        if (!file.has(list) || !out.extra.empty()) continue;
        const TokenizerDocument& tokens = file.json()[list];
        if (!tokens.is_array() && !tokens.is_object()) file.fail(list, "a list", tokens.type_name());
        for (const TokenizerDocument& token : tokens) {
            out.extra.push_back(read_added_token(token, file.where() + ": " + list));
            out.extra.back().special = true;
        }
    }
}

std::optional<bool> optional_flag(const Component& config, const std::string& name) {
    const auto found = config.json().find(name);
    if (found == config.json().end()) return std::nullopt;
    return config.flag(name, false);  // null is there and false
}

}  // namespace

AddedToken read_added_token(const TokenizerDocument& value, const std::string& where) {
    AddedToken token;
    if (value.is_string()) {
        token.content = value.get<std::string>();
        token.special = true;
        token.normalized = false;
        return token;
    }
    const Component fields(value, where);
    token.content = fields.text("content");
    token.single_word = fields.flag("single_word", false);
    token.lstrip = fields.flag("lstrip", false);
    token.rstrip = fields.flag("rstrip", false);
    token.special = fields.flag("special", false);
    token.normalized = fields.flag("normalized", !token.special);
    return token;
}

TokenizerConfig read_tokenizer_config(const fs::path& folder) {
    TokenizerConfig out;
    const fs::path main = folder / "tokenizer_config.json", map = folder / "special_tokens_map.json";
    out.where = main.string();
    if (fs::exists(main)) {
        const TokenizerDocument json = parse_tokenizer_document(read_file(main), main.string());
        const Component config(json, main.string());
        read_added_tokens_decoder(config, out);
        read_special_tokens(config, out);
        out.add_bos = optional_flag(config, "add_bos_token");
        out.add_eos = optional_flag(config, "add_eos_token");
        out.tokenizer_class = config.optional_text("tokenizer_class").value_or("");
        if (out.tokenizer_class.ends_with("Fast")) out.tokenizer_class.resize(out.tokenizer_class.size() - 4);
        for (const auto& [name, value] : json.items())
            if (value.is_boolean()) out.flags[name] = value.get<bool>();
    }
    if (fs::exists(map)) {
        const TokenizerDocument json = parse_tokenizer_document(read_file(map), map.string());
        read_special_tokens(Component(json, map.string()), out);
    }
    return out;
}

}  // namespace craft
