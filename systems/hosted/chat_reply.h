// What a Chat Completions server sent, as replies: every way in which it may be no usable answer has its class.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/system.h"

namespace craft {

struct ChatReply {
    std::vector<Reply> choices;  // by their index; one failed reply where there is none that could be read
    std::string model;           // that answered, as the server names it; empty: it does not say
    bool has_usage = false;      // whether it says what the answers cost in tokens, in figures that can be
};

// A server's words without the keys in them, before they are cut to what an error shows. Null: they hold none.
using Redactor = std::function<std::string(const std::string&)>;

// What a reply answers.
struct ChatQuestion {
    int64_t max_new_tokens = 0;  // an answer of as many tokens is cut, whatever its finish_reason says; 0: not known
    int64_t samples = 1;         // choices; what a server gives beyond them is left out, but for its cost
    Redactor redacted = {};      // for errors; texts are handed on as they came
};

ChatReply failed_reply(Failure failure, const std::string& error);

// Reads a body that came with HTTP 200. Usage stands in the first choice, but for new_tokens, which are shared out evenly.
// Throws nothing that the bytes could bring about.
ChatReply read_chat_reply(std::string_view bytes, const ChatQuestion& question);
// The same of a document that is already parsed: of a batch file.
ChatReply read_chat_document(const Json& body, const ChatQuestion& question);

// What is known of a reply with another HTTP status than 200.
struct HttpRefusal {
    Failure failure = Failure::refused_request;
    std::string error;                         // one line: the status and what the server says, in at most 300 bytes
    std::string parameter;                     // of the body, that the server refuses; empty: none is named
    bool wants_max_completion_tokens = false;  // in place of max_tokens
    bool is_final = false;                     // the run cannot go on: wrong key, no access, no credit
};
HttpRefusal read_http_refusal(long status, std::string_view bytes, const Redactor& redacted = {});

// Ends the text before the first of these strings. OpenAI's servers do so themselves; transformers' leaves it in the text.
// One with nothing before it has no content.
void cut_at_stop(Reply& reply, const std::vector<std::string>& stop);

// Takes <think>...</think> at the head of a text apart: into `reasoning`, behind what it holds. A text that has the closing
// mark alone began within the thinking (its template opened it).
void take_thinking(std::string& text, std::string& reasoning);

}  // namespace craft
