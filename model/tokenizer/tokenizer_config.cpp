#include "model/tokenizer/tokenizer_config.h"

#include <algorithm>
#include <array>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr std::array<const char*, 7> kNames = {"bos_token", "eos_token", "unk_token", "sep_token",
                                               "pad_token", "cls_token", "mask_token"};

void read_added_tokens_decoder(const Component& config, TokenizerConfig& out) {
    const std::string where = config.where() + ": added_tokens_decoder";
    for (const auto& [key, value] : config.object("added_tokens_decoder").items()) {
        if (key.empty() || key.size() > 9 || key.find_first_not_of("0123456789") != std::string::npos)
            throw Error(where, "token ids with their content", "'" + shortened(key, 60) + "'");
        out.added[std::stoll(key)] = read_added_token(value, where + " " + key);
    }
}

// The special tokens of a file, in place of those that are there.
void read_special_tokens(const Component& file, TokenizerConfig& out) {
    for (const auto& [name, value] : file.json().items()) {
        const bool known = std::find(kNames.begin(), kNames.end(), name) != kNames.end();
        // Other names ("image_token") are special tokens too, where they are spelled out.
        if (!known && (!name.ends_with("_token") || !value.is_string())) continue;
        out.named.erase(name);
        out.nameless.erase(name);
        if (value.is_null()) {
            out.nameless.insert(name);
            continue;
        }
        AddedToken token = read_added_token(value, file.where() + ": " + name);
        if (value.is_object() && !value.contains("normalized")) token.normalized = false;
        token.special = true;
        if (!token.content.empty()) out.named[name] = token;
    }
    for (const std::string list : {"extra_special_tokens", "additional_special_tokens"}) {
        if (!file.has(list) || file.json()[list].empty()) continue;
        const TokenizerDocument& tokens = file.json()[list];
        if (!tokens.is_array() && !tokens.is_object()) file.fail(list, "a list", tokens.type_name());
        out.extra.clear();
        for (const TokenizerDocument& token : tokens) {
            out.extra.push_back(read_added_token(token, file.where() + ": " + list));
            out.extra.back().special = true;
        }
        break;
    }
}

// {"<token>": id}: special are those that have a name.
void read_added_tokens_json(const Component& file, TokenizerConfig& out) {
    out.added_of_old = true;
    for (const auto& [content, id] : file.json().items()) {
        AddedToken token;
        token.content = content;
        token.special = has_name(out, content) ||
                        std::any_of(out.extra.begin(), out.extra.end(),
                                    [&, &spelling = content](const AddedToken& one) { return one.content == spelling; });
        token.normalized = !token.special;
        out.added[file.number(content)] = token;
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

std::string sentinel(int64_t number) {
    return "<extra_id_" + std::to_string(number) + ">";
}

std::vector<AddedToken> special_tokens(const TokenizerConfig& config) {
    std::vector<AddedToken> tokens;
    for (const char* name : kNames)
        if (const auto found = config.named.find(name); found != config.named.end()) tokens.push_back(found->second);
    for (const auto& [name, token] : config.named)
        if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) tokens.push_back(token);
    tokens.insert(tokens.end(), config.extra.begin(), config.extra.end());
    return tokens;
}

bool has_name(const TokenizerConfig& config, const std::string& content) {
    return std::any_of(config.named.begin(), config.named.end(),
                       [&](const auto& entry) { return entry.second.content == content; });
}

TokenizerConfig read_tokenizer_config(const ModelDocuments& model) {
    TokenizerConfig out;
    const auto read = [&](const std::string& name, const auto& work) {
        if (!model.has(name)) return;
        const TokenizerDocument json = parse_tokenizer_document(model.text(name), model.where(name));
        work(Component(json, model.where(name)));
    };
    const std::string main = "tokenizer_config.json";
    out.where = model.where(main);
    bool has_added = false;
    read(main, [&](const Component& config) {
        has_added = config.has("added_tokens_decoder");
        if (has_added) read_added_tokens_decoder(config, out);
        read_special_tokens(config, out);
        out.add_bos = optional_flag(config, "add_bos_token");
        out.add_eos = optional_flag(config, "add_eos_token");
        out.tokenizer_class = config.optional_text("tokenizer_class").value_or("");
        if (config.has("extra_ids")) out.extra_ids = config.number("extra_ids");
        if (out.tokenizer_class.ends_with("Fast")) out.tokenizer_class.resize(out.tokenizer_class.size() - 4);
        for (const auto& [name, value] : config.json().items())
            if (value.is_boolean()) out.flags[name] = value.template get<bool>();
    });
    if (has_added) return out;
    read("special_tokens_map.json", [&](const Component& map) { read_special_tokens(map, out); });
    read("added_tokens.json", [&](const Component& tokens) { read_added_tokens_json(tokens, out); });
    return out;
}

}  // namespace craft
