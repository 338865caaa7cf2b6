// What tokenizer_config.json and special_tokens_map.json say beside a tokenizer.json. Inside tokenizer/ only.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/added_tokens.h"

namespace craft {

struct TokenizerConfig {
    std::vector<AddedToken> added;            // added_tokens_decoder, by id
    std::map<std::string, AddedToken> named;  // "eos_token" and so on
    std::vector<AddedToken> extra;            // special tokens without a name
    std::optional<bool> add_bos, add_eos;     // given: they say what stands around a text, not the post-processor
    std::string tokenizer_class;              // without "Fast"; "": not given
    std::map<std::string, bool> flags;        // do_lower_case, add_prefix_space ...
    std::string where;                        // the file, for messages
};

// An empty description if there are no such files. Throws Error naming file and key.
TokenizerConfig read_tokenizer_config(const std::filesystem::path& folder);

// An added token as tokenizer.json and tokenizer_config.json write it; its spelling alone is a special token.
AddedToken read_added_token(const TokenizerDocument& value, const std::string& where);

}  // namespace craft
