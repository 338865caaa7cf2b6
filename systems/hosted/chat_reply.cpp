#include "systems/hosted/chat_reply.h"

#include <algorithm>

#include "core/utf8.h"

namespace craft {

namespace {

constexpr size_t kQuoted = 200;  // bytes of a server's words in an error
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string text_of(const Json& object, const char* key) {
    if (!object.is_object()) return "";
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

const Json& part_of(const Json& object, const char* key) {
    static const Json none;
    if (!object.is_object()) return none;
    const auto found = object.find(key);
    return found == object.end() ? none : *found;
}

// A count as servers write it; absent for anything that is none, or absurd.
std::optional<int64_t> known_count(const Json& object, const char* key) {
    const Json& value = part_of(object, key);
    if (!value.is_number()) return std::nullopt;
    const auto number = value.get<double>();
    return number >= 0 && number < 1e12 ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
}

int64_t count_of(const Json& object, const char* key) {
    return known_count(object, key).value_or(0);
}

// Keys go before anything is cut: the half of one would not be found.
std::string excerpt(const std::string& text, const Redactor& redacted) {
    return one_line(shortened(redacted ? redacted(text) : text, kQuoted));
}

std::string error_text(const Json& error, const Redactor& redacted) {
    if (error.is_string()) return excerpt(error.get_ref<const std::string&>(), redacted);
    const std::string message = text_of(error, "message");
    return excerpt(message.empty() ? dump_line(error) : message, redacted);
}

// A string, or a list of text parts.
std::string content_of(const Json& content) {
    if (content.is_string()) return content.get<std::string>();
    std::string text;
    if (content.is_array())
        for (const Json& part : content) text += text_of(part, "text");
    return text;
}

std::optional<double> mean_logprob(const Json& choice) {
    const Json& tokens = part_of(part_of(choice, "logprobs"), "content");
    if (!tokens.is_array() || tokens.empty()) return std::nullopt;
    double sum = 0;
    for (const Json& token : tokens) {
        const Json& value = part_of(token, "logprob");
        if (!value.is_number()) return std::nullopt;
        sum += value.get<double>();
    }
    return sum / static_cast<double>(tokens.size());
}

// Which reply a choice makes, its usage left aside.
Reply read_choice(const Json& choice, const Redactor& redacted) {
    const Json& message = part_of(choice, "message");
    if (!message.is_object()) return Reply::failed(Failure::broken_reply, "a choice without a message");
    const std::string reason = text_of(choice, "finish_reason");
    if (reason == "content_filter")
        return Reply::failed(Failure::content_filtered, "the server's filter stopped the answer");
    if (const std::string refusal = text_of(message, "refusal"); !refusal.empty())
        return Reply::failed(Failure::declined, "the model declined: " + excerpt(refusal, redacted));
    Reply reply;
    reply.text = content_of(part_of(message, "content"));
    for (const char* key : {"reasoning_content", "reasoning"})
        if (reply.reasoning.empty()) reply.reasoning = text_of(message, key);
    take_thinking(reply.text, reply.reasoning);
    reply.mean_logprob = mean_logprob(choice);
    if (invalid_utf8_at(reply.text) != std::string::npos || invalid_utf8_at(reply.reasoning) != std::string::npos)
        return Reply::failed(Failure::broken_reply, "a text that is not UTF-8");
    if (reason == "length") reply.status = Reply::Status::cut;
    const bool has_calls = part_of(message, "tool_calls").is_array() && !part_of(message, "tool_calls").empty();
    if (reply.text.empty() && reply.status == Reply::Status::finished)
        return Reply::failed(Failure::no_content, has_calls ? "calls of functions and no text" : "no text");
    return reply;
}

// Choices in the order of their index, which servers need not keep.
std::vector<const Json*> in_order(const Json& choices) {
    std::vector<const Json*> ordered;
    for (const Json& choice : choices) ordered.push_back(&choice);
    std::stable_sort(ordered.begin(), ordered.end(),
                     [](const Json* a, const Json* b) { return count_of(*a, "index") < count_of(*b, "index"); });
    return ordered;
}

void share_usage(ChatReply& reply, const Json& usage, int64_t max_new_tokens) {
    const Json& completion = part_of(usage, "completion_tokens");
    const bool is_sound = completion.is_null() || known_count(usage, "completion_tokens");
    reply.has_usage = is_sound && known_count(usage, "prompt_tokens");
    const int64_t tokens = count_of(usage, "completion_tokens");
    const auto count = static_cast<int64_t>(reply.choices.size());
    for (int64_t i = 0; i < count; ++i) {
        Reply& choice = reply.choices[static_cast<size_t>(i)];
        choice.usage.new_tokens = tokens / count + (i < tokens % count ? 1 : 0);
        const bool at_limit = max_new_tokens > 0 && choice.usage.new_tokens >= max_new_tokens;
        if (at_limit && choice.is_finished()) choice.status = Reply::Status::cut;
    }
    Usage& first = reply.choices[0].usage;
    first.prompt_tokens = count_of(usage, "prompt_tokens");
    const int64_t cached = count_of(part_of(usage, "prompt_tokens_details"), "cached_tokens");
    first.cached_tokens = std::min(first.prompt_tokens, cached);
}

// What was not asked for goes; it was paid for all the same.
void drop_beyond(ChatReply& reply, int64_t samples) {
    const auto kept = static_cast<size_t>(std::max<int64_t>(1, samples));
    for (size_t i = kept; i < reply.choices.size(); ++i)
        reply.choices[0].usage.new_tokens += reply.choices[i].usage.new_tokens;
    if (reply.choices.size() > kept) reply.choices.erase(reply.choices.begin() + kept, reply.choices.end());
}

bool mentions(const std::string& text, std::initializer_list<const char*> words) {
    return std::any_of(words.begin(), words.end(), [&](const char* word) { return text.find(word) != std::string::npos; });
}

std::string lowered(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

// OpenAI's code, and the words of vLLM, llama.cpp, SGLang and Mistral for the same.
bool is_window_error(const std::string& code, const std::string& words) {
    return code == "context_length_exceeded" ||
           mentions(words, {"maximum context length", "context length", "context window", "exceeds the available context",
                            "exceed_context_size", "longer than the model's", "prompt is too long", "too many tokens"});
}

bool refuses_a_parameter(const std::string& code, const std::string& words) {
    return code.starts_with("unsupported") || code.starts_with("unknown_parameter") ||
           mentions(words, {"unsupported parameter", "unsupported value", "not supported", "unrecognized request argument",
                            "extra inputs are not permitted", "unknown parameter", "unexpected keyword",
                            "unexpected fields in the request"});
}

// What stands between the first two quotation marks; "" where there are none.
std::string first_quoted(const std::string& text) {
    const size_t begin = text.find('\'');
    const size_t end = begin == std::string::npos ? begin : text.find('\'', begin + 1);
    return end == std::string::npos ? "" : text.substr(begin + 1, end - begin - 1);
}

// FastAPI's form of an error, in OpenAI's fields: `detail` is a text (transformers serve), or a list of what is wrong with
// which part of the request.
Json error_of_detail(const Json& detail) {
    if (detail.is_string()) {
        Json error = {{"message", detail}};
        if (lowered(detail.get<std::string>()).starts_with("unexpected fields"))
            error["param"] = first_quoted(detail.get<std::string>());
        return error;
    }
    if (!detail.is_array() || detail.empty()) return nullptr;
    Json error = {{"message", text_of(detail[0], "msg")}, {"code", text_of(detail[0], "type")}};
    const Json& place = part_of(detail[0], "loc");
    if (place.is_array() && place.size() > 1 && place[0] == "body" && place[1].is_string()) error["param"] = place[1];
    return error;
}

Failure class_of(long status) {
    if (status == 429) return Failure::rate_limited;
    if (status >= 500) return Failure::server_error;
    if (status == 408) return Failure::timed_out;
    return Failure::refused_request;
}

}  // namespace

ChatReply failed_reply(Failure failure, const std::string& error) {
    ChatReply reply;
    reply.choices.push_back(Reply::failed(failure, error));
    return reply;
}

void take_thinking(std::string& text, std::string& reasoning) {
    static const std::string kOpen = "<think>", kClose = "</think>";
    const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const bool opens = text.compare(first, kOpen.size(), kOpen) == 0;
    const size_t close = text.find(kClose);
    if (!opens && (close == std::string::npos || text.find(kOpen) < close)) return;
    const size_t begin = opens ? first + kOpen.size() : 0;
    const size_t end = std::min(close, text.size());  // what was cut within its thinking has thinking alone
    const std::string thought = text.substr(begin, end - begin);
    const size_t from = thought.find_first_not_of(" \t\r\n");
    if (from != std::string::npos) {
        const size_t to = thought.find_last_not_of(" \t\r\n");
        reasoning += (reasoning.empty() ? "" : "\n") + thought.substr(from, to - from + 1);
    }
    const size_t answer = close == std::string::npos ? text.size() : close + kClose.size();
    text.erase(0, std::min(text.find_first_not_of(" \t\r\n", answer), text.size()));
}

void cut_at_stop(Reply& reply, const std::vector<std::string>& stop) {
    if (reply.status == Reply::Status::failed) return;
    size_t end = std::string::npos;
    for (const std::string& one : stop)
        if (!one.empty()) end = std::min(end, reply.text.find(one));
    if (end == std::string::npos) return;
    reply.text.erase(end);
    reply.status = Reply::Status::finished;  // where the server went on to the limit
    if (!reply.text.empty()) return;
    reply.status = Reply::Status::failed;
    reply.failure = Failure::no_content;
    reply.error = "no text before a stop string";
}

ChatReply read_chat_document(const Json& body, const ChatQuestion& question) {
    if (!body.is_object())
        return failed_reply(Failure::broken_reply, std::string("expected an object, got ") + body.type_name());
    if (const Json& error = part_of(body, "error"); !error.is_null() && error != Json::object())
        return failed_reply(Failure::error_in_reply, error_text(error, question.redacted));
    const Json& choices = part_of(body, "choices");
    if (!choices.is_array())
        return failed_reply(Failure::broken_reply, "no chat completion: " + excerpt(dump_line(body), question.redacted));
    if (choices.empty()) return failed_reply(Failure::no_choices, "no choices");
    ChatReply reply;
    reply.model = text_of(body, "model");
    for (const Json* choice : in_order(choices)) reply.choices.push_back(read_choice(*choice, question.redacted));
    share_usage(reply, part_of(body, "usage"), question.max_new_tokens);
    drop_beyond(reply, question.samples);
    return reply;
}

ChatReply read_chat_reply(std::string_view bytes, const ChatQuestion& question) {
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    const size_t first = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
    if (first == bytes.size()) return failed_reply(Failure::broken_reply, "an empty body");
    const std::string text(bytes);
    if (bytes[first] != '{' && bytes[first] != '[')
        return failed_reply(Failure::not_json, "no JSON: " + excerpt(text, question.redacted));
    try {
        return read_chat_document(parse_json(text, "the reply"), question);
    } catch (const Error& error) {
        // The parser has cut what it quotes.
        const bool holds_key = question.redacted && question.redacted(text) != text;
        return failed_reply(Failure::broken_reply,
                            holds_key ? "the reply: not JSON, with (key) in it" : excerpt(error.what(), {}));
    }
}

HttpRefusal read_http_refusal(long status, std::string_view bytes, const Redactor& redacted) {
    HttpRefusal refusal;
    refusal.failure = class_of(status);
    Json error;
    bool is_page = false;
    try {
        const Json body = parse_json(std::string(bytes), "the reply");
        error = part_of(body, "error");
        if (error.is_null()) error = error_of_detail(part_of(body, "detail"));
        if (error.is_null()) error = body;  // vLLM before 0.10 has the error's fields at the top
    } catch (const Error&) {
        // A proxy's page, or nothing: the status says what there is to say.
        error = std::string(bytes);
        is_page = true;
    }
    const std::string said = error_text(error, redacted);
    std::string words = lowered(error.is_string() ? error.get<std::string>() : text_of(error, "message"));
    if (is_page) words.resize(std::min(words.size(), kQuoted));  // its head says what it is
    const std::string code = text_of(error, "code");
    refusal.error = "HTTP " + std::to_string(status) + (said.empty() ? "" : ": " + said);
    refusal.is_final = status == 401 || status == 403 || status == 402 || status == 407 ||
                       (status == 429 && (code == "insufficient_quota" || text_of(error, "type") == "insufficient_quota"));
    if (status != 400 && status != 413 && status != 422) return refusal;
    if (is_window_error(code, words)) {
        refusal.failure = Failure::prompt_too_long;
    } else if (status != 413 && refuses_a_parameter(code, words)) {
        refusal.parameter = text_of(error, "param");
        refusal.wants_max_completion_tokens =
            mentions(words, {"max_completion_tokens"}) && refusal.parameter != "max_completion_tokens";
    }
    return refusal;
}

}  // namespace craft
