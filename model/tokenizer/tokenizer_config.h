// What stands beside a tokenizer's own file: special and added tokens, switches. Inside model/tokenizer/ only.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/files/model_documents.h"
#include "model/tokenizer/added_tokens.h"

namespace craft {

struct TokenizerConfig {
    std::map<int64_t, AddedToken> added;      // by id: added_tokens_decoder, else added_tokens.json
    bool added_of_old = false;                // they are of added_tokens.json: what a tokenizer.json says goes before
    std::map<std::string, AddedToken> named;  // "eos_token" and so on: the files', else the class's own
    std::set<std::string> nameless;           // names that a file sets to null
    std::vector<AddedToken> extra;            // special tokens without a name
    std::optional<int64_t> extra_ids;         // of T5's classes: how many sentinels
    int64_t sentinels = 0;                    // that come after a sentencepiece model's own pieces, the last one first
    std::optional<bool> add_bos, add_eos;     // what surrounds a text; a tokenizer.json's post-processor goes before
    std::string tokenizer_class;              // without "Fast"; "": not given
    std::map<std::string, bool> flags;        // do_lower_case, add_prefix_space ...
    std::string where;                        // the file, for messages
};

// What tokenizer_config.json, special_tokens_map.json and added_tokens.json say, as transformers puts them together: the
// second and third count where the first has no added_tokens_decoder, and then the second goes before the first. An empty
// description if there are no such files. Throws Error naming file and key.
TokenizerConfig read_tokenizer_config(const ModelDocuments& model);

// Those that have a name and those that have none, in the order in which transformers adds them; of equal ones the last
// counts.
std::vector<AddedToken> special_tokens(const TokenizerConfig& config);
bool has_name(const TokenizerConfig& config, const std::string& content);

inline constexpr int64_t kT5Sentinels = 100;  // where nobody says how many
std::string sentinel(int64_t number);         // "<extra_id_0>": T5's mark of a span

// An added token as tokenizer.json and tokenizer_config.json write it; its spelling alone is a special token.
AddedToken read_added_token(const TokenizerDocument& value, const std::string& where);

}  // namespace craft
