// What a Chat Completions server sent, as replies: every way in which it may be no usable answer has its class.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/hosted/server_words.h"
#include "systems/system.h"

namespace craft {

struct ChatReply {
    std::vector<Reply> choices;  // by their index; one failed reply where there is none that could be read
    std::string model;           // that answered, as the server names it; empty: it does not say
    bool has_usage = false;      // whether it says what the answers cost in tokens, in figures that can be
    // Of an error in place of choices: the HTTP status that it says (status_within()); 0: none.
    long error_status = 0;
};

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

// Whether an answer has far more tokens than it was allowed (`limit`; 0: not known): the server does not keep the limit, or
// counts what nobody sees.
bool is_far_above(int64_t tokens, int64_t limit);
// What is said of that, once a run.
std::string far_above_warning(const std::string& profile);

// Ends the text before the first of these strings. OpenAI's servers do so themselves; transformers' leaves it in the text.
// One with nothing before it has no content.
void cut_at_stop(Reply& reply, const std::vector<std::string>& stop);

// Takes <think>...</think> at the head of a text apart: into `reasoning`, after what it holds. A text that has the closing
// mark alone began within the thinking (its template opened it).
void take_thinking(std::string& text, std::string& reasoning);

}  // namespace craft
