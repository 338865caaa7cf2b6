#include "systems/hosted/chat_reply.h"

#include <algorithm>

#include "core/utf8.h"
#include "data/reply_text.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

// A count as servers write it; absent for anything that is none, or absurd.
std::optional<int64_t> known_count(const Json& object, const char* key) {
    const Json& value = part_within(object, key);
    if (!value.is_number()) return std::nullopt;
    const auto number = value.get<double>();
    return number >= 0 && number < 1e12 ? std::optional(static_cast<int64_t>(number)) : std::nullopt;
}

int64_t count_of(const Json& object, const char* key) {
    return known_count(object, key).value_or(0);
}

// A string, or a list of parts, of which those that are thinking (Mistral's) go into `reasoning`.
std::string content_of(const Json& content, std::string& reasoning) {
    if (content.is_string()) return content.get<std::string>();
    std::string text;
    if (!content.is_array()) return text;
    for (const Json& part : content) {
        const std::string type = text_within(part, "type");
        if (type == "thinking" || type == "reasoning") {
            reasoning += text_within(part, "text");
            if (const Json& thought = part_within(part, "thinking"); !thought.is_null())
                reasoning += content_of(thought, reasoning);
        } else {
            text += text_within(part, "text");
        }
    }
    return text;
}

// How an answer ended, by the names that servers have for it. Names that are not known are taken for an end: "eos_token",
// "tool_calls".
enum class Finish { ended, cut, filtered, declined, broken };

Finish finish_of(const std::string& reason) {
    const std::string name = lowercase(reason);  // Gemini's are in capitals
    const auto is_one_of = [&](std::initializer_list<const char*> names) {
        return std::any_of(names.begin(), names.end(), [&](const char* one) { return name == one; });
    };
    if (is_one_of({"length", "max_tokens", "model_length"})) return Finish::cut;
    if (name.starts_with("content_filter") || is_one_of({"safety", "recitation", "blocklist", "prohibited_content", "spii"}))
        return Finish::filtered;
    if (name == "refusal") return Finish::declined;
    if (is_one_of({"error", "abort", "insufficient_system_resource"})) return Finish::broken;
    return Finish::ended;
}

std::optional<double> mean_logprob(const Json& choice) {
    const Json& tokens = part_within(part_within(choice, "logprobs"), "content");
    if (!tokens.is_array() || tokens.empty()) return std::nullopt;
    double sum = 0;
    for (const Json& token : tokens) {
        const Json& value = part_within(token, "logprob");
        if (!value.is_number()) return std::nullopt;
        sum += value.get<double>();
    }
    return sum / static_cast<double>(tokens.size());
}

Failure failure_in(const Json& error) {
    return is_filter_error(error) ? Failure::content_filtered : Failure::error_in_reply;
}

// Which reply a choice makes, its usage left aside.
Reply read_choice(const Json& choice, const Redactor& redacted) {
    const Json& message = part_within(choice, "message");
    for (const Json* holder : {&choice, &message})
        if (const Json& error = part_within(*holder, "error"); holds_error(error))
            return Reply::failed(failure_in(error), error_words(error, redacted));
    if (!message.is_object()) return Reply::failed(Failure::broken_reply, "a choice without a message");
    const std::string reason = text_within(choice, "finish_reason");
    const Finish finish = finish_of(reason);
    const std::string with_reason = ": finish_reason " + shown_words(reason, redacted);
    if (finish == Finish::broken)
        return Reply::failed(Failure::error_in_reply, "the server broke the answer off" + with_reason);
    if (finish == Finish::filtered)
        return Reply::failed(Failure::content_filtered, "the server's filter stopped the answer" + with_reason);
    if (finish == Finish::declined) return Reply::failed(Failure::declined, "the model declined" + with_reason);
    if (const std::string refusal = text_within(message, "refusal"); !refusal.empty())
        return Reply::failed(Failure::declined, "the model declined: " + shown_words(refusal, redacted));
    Reply reply;
    for (const char* key : {"reasoning_content", "reasoning"})
        if (reply.reasoning.empty()) reply.reasoning = text_within(message, key);
    reply.text = content_of(part_within(message, "content"), reply.reasoning);
    take_thinking(reply.text, reply.reasoning);
    reply.mean_logprob = mean_logprob(choice);
    if (invalid_utf8_at(reply.text) != std::string::npos || invalid_utf8_at(reply.reasoning) != std::string::npos)
        return Reply::failed(Failure::broken_reply, "a text that is not UTF-8");
    if (finish == Finish::cut) reply.status = Reply::Status::cut;
    const bool has_calls = part_within(message, "tool_calls").is_array() && !part_within(message, "tool_calls").empty();
    if (trim_view(reply.text).empty() && reply.status == Reply::Status::finished)
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
    const Json& completion = part_within(usage, "completion_tokens");
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
    const int64_t cached = count_of(part_within(usage, "prompt_tokens_details"), "cached_tokens");
    first.cached_tokens = std::min(first.prompt_tokens, cached);
}

// What was not asked for goes; it was paid for all the same.
void drop_beyond(ChatReply& reply, int64_t samples) {
    const auto kept = static_cast<size_t>(std::max<int64_t>(1, samples));
    for (size_t i = kept; i < reply.choices.size(); ++i)
        reply.choices[0].usage.new_tokens += reply.choices[i].usage.new_tokens;
    if (reply.choices.size() > kept) reply.choices.erase(reply.choices.begin() + kept, reply.choices.end());
}

}  // namespace

ChatReply failed_reply(Failure failure, const std::string& error) {
    ChatReply reply;
    reply.choices.push_back(Reply::failed(failure, error));
    return reply;
}

void take_thinking(std::string& text, std::string& reasoning) {
    const auto split = split_thinking(text);
    if (!split || !split->is_at_head) return;
    if (!split->thought.empty()) reasoning.append(reasoning.empty() ? "" : "\n").append(split->thought);
    text.erase(0, static_cast<size_t>(split->answer.data() - text.data()));
}

void cut_at_stop(Reply& reply, const std::vector<std::string>& stop) {
    if (reply.status == Reply::Status::failed) return;
    size_t end = std::string::npos;
    for (const std::string& one : stop)
        if (!one.empty()) end = std::min(end, reply.text.find(one));
    if (end == std::string::npos) return;
    reply.text.erase(end);
    reply.status = Reply::Status::finished;  // where the server continued to the limit
    if (!trim_view(reply.text).empty()) return;
    reply.status = Reply::Status::failed;
    reply.failure = Failure::no_content;
    reply.error = "no text before a stop string";
}

ChatReply read_chat_document(const Json& body, const ChatQuestion& question) {
    if (!body.is_object())
        return failed_reply(Failure::broken_reply, std::string("expected an object, got ") + body.type_name());
    if (const Json& error = part_within(body, "error"); holds_error(error)) {
        ChatReply failed = failed_reply(failure_in(error), error_words(error, question.redacted));
        failed.error_status = status_within(error);
        return failed;
    }
    // Gemini's own field for a prompt that was not let in, which gateways pass on.
    if (const std::string why = text_within(part_within(body, "promptFeedback"), "blockReason"); !why.empty())
        return failed_reply(Failure::content_filtered,
                            "the server's filter stopped the prompt: " + shown_words(why, question.redacted));
    const Json& choices = part_within(body, "choices");
    if (!choices.is_array())
        return failed_reply(Failure::broken_reply, "no chat completion: " + shown_words(dump_line(body), question.redacted));
    if (choices.empty()) return failed_reply(Failure::no_choices, "no choices");
    ChatReply reply;
    reply.model = text_within(body, "model");
    for (const Json* choice : in_order(choices)) reply.choices.push_back(read_choice(*choice, question.redacted));
    share_usage(reply, part_within(body, "usage"), question.max_new_tokens);
    drop_beyond(reply, question.samples);
    return reply;
}

ChatReply read_chat_reply(std::string_view bytes, const ChatQuestion& question) {
    if (bytes.starts_with(kByteOrderMark)) bytes.remove_prefix(kByteOrderMark.size());
    const size_t first = std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size());
    if (first == bytes.size()) return failed_reply(Failure::broken_reply, "an empty body");
    const std::string text(bytes);
    const std::string_view begins = bytes.substr(first);
    if (begins.starts_with("data:") || begins.starts_with("event:"))
        return failed_reply(Failure::not_json, "a stream of events, which was not asked for, in place of one answer");
    if (bytes[first] != '{' && bytes[first] != '[')
        return failed_reply(Failure::not_json, "no JSON: " + shown_words(text, question.redacted));
    try {
        return read_chat_document(parse_json(text, "the reply"), question);
    } catch (const Error& error) {
        // The parser has cut what it quotes.
        const bool holds_key = question.redacted && question.redacted(text) != text;
        return failed_reply(Failure::broken_reply,
                            holds_key ? "the reply: not JSON, with (key) in it" : shown_words(error.what(), {}));
    }
}

bool is_far_above(int64_t tokens, int64_t limit) {
    return limit > 0 && tokens > 2 * limit;
}

std::string far_above_warning(const std::string& profile) {
    return "openai." + profile +
           ": answers use far more tokens than the limit: the server ignores it, or counts hidden tokens";
}

}  // namespace craft
