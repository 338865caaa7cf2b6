// What the test server does wrong on purpose, each thing by its name, and when it does it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace craft::chat_server {

enum class Fault {
    // Refusals, with the error objects of OpenAI (http_400_window_vllm: of vLLM).
    http_429,        // rate_limit_exceeded; Retry-After as ChatServerOptions says
    http_429_quota,  // insufficient_quota: asking again does not help
    http_500,
    http_503,              // the model is overloaded; Retry-After likewise
    http_400_window,       // context_length_exceeded
    http_400_window_vllm,  // the same in vLLM's words: type BadRequestError, code 400
    http_400_max_tokens,   // only for bodies with max_tokens: use max_completion_tokens
    http_400_temperature,  // only for bodies with temperature: not supported with this model
    http_401,
    http_403,
    http_404,
    // Broken transport.
    truncated,  // Content-Length says more than is sent; then the connection is closed
    cut_json,   // a whole body by HTTP, whose JSON ends in the middle
    dropped,    // the connection is closed before any byte
    never,      // no byte until the client gives up or the server stops
    slow_body,  // the head and some of the body, then a blank every now and then for ever
    chunked,    // a good answer in chunks that cut words and escapes
    huge,       // ChatServerOptions::huge_bytes of content
    bad_utf8,   // bytes in the content that are not UTF-8
    // Other people's answers.
    html,                 // status 200 and a proxy's page
    html_502,             // status 502 and a proxy's page
    wrong_json,           // valid JSON of another shape
    redirect_other_host,  // 307 to the same port under another name of this machine: a request that comes there is counted
    redirect_same_host,   // 307 to another path of the same host, which answers well
    redirect_loop,        // 307 to the same path again
    // Odd answers in good form.
    error_in_200,    // an error object under status 200
    no_choices,      // choices: []
    null_content,    // content: null and nothing else
    empty_content,   // content: ""
    content_filter,  // finish_reason content_filter
    refusal,         // message.refusal is set, content is null
    length,          // finish_reason length, half of the content
    stop_at_limit,   // only for bodies with a limit: finish_reason stop, but completion_tokens is that limit
    reasoning,       // reasoning_content beside the content
    think,           // <think>...</think> before the content
    foreign_model,   // another model's name in the reply
    n_ignored,       // only for bodies with n > 1: one choice
};

// A fault and its share of all requests, 0 to 1.
struct FaultShare {
    Fault kind;
    double share = 1;
};

// In the order of the enumeration.
const std::vector<std::string>& fault_names();
const std::string& fault_name(Fault fault);
// Throws Error that lists the known names.
Fault fault_of(const std::string& name);
// "http_429=.2"; a name alone means a share of 1. Throws Error where it is none, or its share is not in 0 to 1.
FaultShare parse_fault_share(const std::string& text);

// Whether what arrives is a whole answer that a client must take.
bool is_good(std::optional<Fault> fault);

// The fault of the `asked`-th (from 0) request with this body, or none: a draw by (seed, body, asked) alone.
std::optional<Fault> draw_fault(const std::vector<FaultShare>& faults, uint64_t seed, std::string_view body, int64_t asked);

}  // namespace craft::chat_server
