// What a server's JSON says, whatever form it has: nothing here throws.
#pragma once

#include <functional>
#include <string>

#include "core/json.h"

namespace craft {

// A server's words without the keys in them, before they are cut to what an error shows. Null: they hold none.
using Redactor = std::function<std::string(const std::string&)>;

// Of an object; "" or null where there is no such text or part.
std::string text_within(const Json& object, const char* key);
const Json& part_within(const Json& object, const char* key);
// One line of a text, of at most kQuoted bytes.
std::string shown_words(const std::string& text, const Redactor& redacted);
constexpr size_t kQuoted = 200;
// Whether this is an error, and not merely the place of one.
bool holds_error(const Json& error);
// What an error, an object or a text, says of itself; likewise.
std::string error_words(const Json& error, const Redactor& redacted);
// Whether it says that a filter stopped the prompt or the answer: in the codes of OpenAI, Azure, Alibaba and Moonshot, in
// OpenRouter's "metadata", or in DeepSeek's words, which have no code.
bool is_filter_error(const Json& error);
// The HTTP status that an error has where it came with none of its own (HTTP 200, a batch's line): its `code` as a number
// (OpenRouter, vLLM), or that of OpenAI's names. 0: it says none.
long status_within(const Json& error);

}  // namespace craft
