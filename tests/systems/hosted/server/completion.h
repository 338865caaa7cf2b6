// The JSON of a chat completion: choices, usage, and what is odd in them on purpose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/json.h"
#include "tests/systems/hosted/server/options.h"

namespace craft::chat_server {

// U+FFFD: stands in a choice's content where the fault bad_utf8 has a byte that no JSON library writes.
inline const std::string kBadByte = "\xef\xbf\xbd";

// Runs without white space (ASCII's): this server's tokens.
int64_t count_words(const std::string& text);
// The text up to the end of its `words`-th word.
std::string first_words(const std::string& text, int64_t words);
// The limit of completion tokens that a body asks for: max_completion_tokens, else max_tokens.
std::optional<int64_t> token_limit(const Json& body);
// What a choice says without ChatServerOptions::answer.
std::string made_up_answer(const Json& body, int64_t choice);

// A choice is cut at the body's limit, and then its finish_reason is "length". Prompt tokens are the words of all contents,
// completion tokens those of all choices, with their reasoning.
Json completion(const ChatServerOptions& options, const Json& body, std::optional<Fault> fault);

}  // namespace craft::chat_server
