#include "tests/systems/hosted/server/reply.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>

#include "tests/systems/hosted/server/completion.h"

namespace craft::chat_server {

namespace {

const char* const kJson = "application/json";

std::string http_date(std::time_t at) {
    std::tm parts{};
    gmtime_r(&at, &parts);
    std::array<char, 64> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

std::string retry_after_line(const ChatServerOptions& options) {
    if (options.retry_after == RetryAfter::none) return "";
    const std::string value = options.retry_after == RetryAfter::seconds
                                  ? std::to_string(options.retry_after_s)
                                  : http_date(std::time(nullptr) + options.retry_after_s);
    return "Retry-After: " + value + "\r\n";
}

std::string head(const std::string& status, const std::string& type, const std::string& headers) {
    return "HTTP/1.1 " + status + "\r\nContent-Type: " + type + "\r\n" + headers;
}

Reply ok(const std::string& body) {
    return http_reply("200 OK", kJson, body);
}

std::string proxy_page(const std::string& title) {
    return "<!DOCTYPE html>\n<html><head><title>" + title + "</title></head>\n<body><h1>" + title +
           "</h1><p>The proxy server could not handle the request.</p></body></html>\n";
}

// What http_401 says holds the key that it refuses, as some servers do: clients must not print it.
std::string wrong_key_message(const ReceivedRequest& request) {
    const std::string& authorization = request.header("authorization");
    return "Incorrect API key provided: " +
           authorization.substr(std::min(authorization.find(' ') + 1, authorization.size())) + ".";
}

Reply unsupported(const std::string& name, const std::string& hint) {
    return refuse("400 Bad Request", "Unsupported parameter: '" + name + "' is not supported with this model." + hint,
                  "invalid_request_error", "unsupported_parameter", name);
}

Reply over_window_vllm() {
    const Json body = {
        {"object", "error"},
        {"message",
         "This model's maximum context length is 4096 tokens. However, you requested 5012 tokens (4912 in the "
         "messages, 100 in the completion). Please reduce the length of the messages or completion."},
        {"type", "BadRequestError"},
        {"param", nullptr},
        {"code", 400}};
    return http_reply("400 Bad Request", kJson, dump_line(body));
}

Reply redirect(const std::string& location) {
    return http_reply("307 Temporary Redirect", "text/plain", "moved\n", "Location: " + location + "\r\n");
}

// This server under another name of this machine.
std::string other_authority(const ReceivedRequest& request) {
    const std::string& host = request.header("host");
    const size_t colon = std::min(host.rfind(':'), host.size());
    return (host.substr(0, colon) == "localhost" ? "127.0.0.1" : "localhost") + host.substr(colon);
}

std::string chunk(const std::string& bytes) {
    std::array<char, 24> size{};
    std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
    return size.data() + bytes + "\r\n";
}

Reply chunked(const std::string& body) {
    Reply reply{head("200 OK", kJson, "Transfer-Encoding: chunked\r\n\r\n")};
    constexpr size_t kBytes = 37;  // cuts within words, escapes and letters
    for (size_t at = 0; at < body.size(); at += kBytes) reply.bytes += chunk(body.substr(at, kBytes));
    reply.bytes += "0\r\n\r\n";
    return reply;
}

Reply slow(const std::string& body) {
    return {.bytes = head("200 OK", kJson, "Transfer-Encoding: chunked\r\n\r\n") + chunk(body.substr(0, body.size() / 2)),
            .ending = Reply::Ending::trickle};
}

Reply truncated(const std::string& body) {
    Reply reply = ok(body);
    reply.bytes.resize(reply.bytes.size() - body.size() / 2);
    reply.ending = Reply::Ending::close;
    return reply;
}

Reply huge(const ChatServerOptions& options, Json whole) {
    const std::string mark = "HERE";
    whole["choices"] =
        Json::array({{{"index", 0}, {"message", {{"role", "assistant"}, {"content", mark}}}, {"finish_reason", "stop"}}});
    const std::string body = dump_line(whole);
    const size_t at = body.find(mark);
    const size_t bytes = body.size() - mark.size() + static_cast<size_t>(options.huge_bytes);
    return {.bytes = head("200 OK", kJson, "Content-Length: " + std::to_string(bytes) + "\r\n\r\n") + body.substr(0, at),
            .filling = options.huge_bytes,
            .tail = body.substr(at + mark.size())};
}

Reply bad_utf8(std::string body) {
    for (const char* byte : {"\xff", "\xc3"})  // none begins with the one, the other is cut short
        if (const size_t at = body.find(kBadByte); at != std::string::npos) body.replace(at, kBadByte.size(), byte);
    return ok(body);
}

// Faults that need no answer; none for those that do.
std::optional<Reply> without_answer(const ChatServerOptions& options, const ReceivedRequest& request, Fault fault) {
    switch (fault) {
        case Fault::http_429:
            return refuse("429 Too Many Requests", "Rate limit reached for " + options.model + ": please try again later.",
                          "requests", "rate_limit_exceeded", nullptr, retry_after_line(options));
        case Fault::http_429_quota:
            return refuse("429 Too Many Requests",
                          "You exceeded your current quota, please check your plan and billing details.",
                          "insufficient_quota", "insufficient_quota");
        case Fault::http_500:
            return refuse("500 Internal Server Error", "The server had an error while processing your request.",
                          "server_error");
        case Fault::http_503:
            return refuse("503 Service Unavailable", "The engine is currently overloaded, please try again later.",
                          "overloaded", nullptr, nullptr, retry_after_line(options));
        case Fault::http_400_window:
            return refuse(
                "400 Bad Request",
                "This model's maximum context length is 4096 tokens. However, your messages resulted in 5012 tokens. "
                "Please reduce the length of the messages.",
                "invalid_request_error", "context_length_exceeded", "messages");
        case Fault::http_400_window_vllm:
            return over_window_vllm();
        case Fault::http_400_max_tokens:
            return unsupported("max_tokens", " Use 'max_completion_tokens' instead.");
        case Fault::http_400_temperature:
            return unsupported("temperature", "");
        case Fault::http_401:
            return refuse("401 Unauthorized", wrong_key_message(request), "invalid_request_error", "invalid_api_key");
        case Fault::http_403:
            return refuse("403 Forbidden", "You are not allowed to sample from this model.", "invalid_request_error");
        case Fault::http_404:
            return refuse("404 Not Found",
                          "The model `" + options.model + "` does not exist or you do not have access to it.",
                          "invalid_request_error", "model_not_found");
        case Fault::dropped:
            return Reply{.ending = Reply::Ending::close};
        case Fault::never:
            return Reply{.ending = Reply::Ending::hold};
        case Fault::html:
            return http_reply("200 OK", "text/html", proxy_page("Sign in to the network"));
        case Fault::html_502:
            return http_reply("502 Bad Gateway", "text/html", proxy_page("502 Bad Gateway"));
        case Fault::wrong_json:
            return ok(R"({"status":"ok","output":[{"text":"Good."}]})");
        case Fault::error_in_200:
            return ok(R"({"error":{"message":"Provider returned an error","code":502}})");
        case Fault::redirect_other_host:
            return redirect("http://" + other_authority(request) + "/redirected" + request.path());
        case Fault::redirect_same_host:
            return redirect("/redirected" + request.path());
        case Fault::redirect_loop:
            return redirect(request.path());
        default:
            return std::nullopt;
    }
}

}  // namespace

Reply http_reply(const std::string& status, const std::string& type, const std::string& body, const std::string& headers) {
    return {.bytes = head(status, type, headers + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n") + body};
}

Reply refuse(const std::string& status, const std::string& message, const std::string& type, const Json& code,
             const Json& param, const std::string& headers) {
    const Json body = {{"error", {{"message", message}, {"type", type}, {"param", param}, {"code", code}}}};
    return http_reply(status, kJson, dump_line(body), headers);
}

Reply models_reply(const ChatServerOptions& options) {
    const Json model = {{"id", options.model}, {"object", "model"}, {"created", 0}, {"owned_by", "tests"}};
    return ok(dump_line({{"object", "list"}, {"data", Json::array({model})}}));
}

bool concerns(Fault fault, const Json& body) {
    switch (fault) {
        case Fault::http_400_max_tokens:
            return has_value(body, "max_tokens");
        case Fault::http_400_temperature:
            return has_value(body, "temperature");
        case Fault::stop_at_limit:
            return token_limit(body).has_value();
        case Fault::n_ignored:
            return has_value(body, "n") && body.at("n") != 1;
        default:
            return true;
    }
}

Reply chat_reply(const ChatServerOptions& options, const ReceivedRequest& request, const Json& body,
                 std::optional<Fault> fault) {
    if (fault)
        if (auto reply = without_answer(options, request, *fault)) return *std::move(reply);
    const Json whole = completion(options, body, fault);
    const std::string text = dump_line(whole);
    if (fault == Fault::truncated) return truncated(text);
    if (fault == Fault::cut_json) return ok(text.substr(0, text.size() / 2));
    if (fault == Fault::slow_body) return slow(text);
    if (fault == Fault::chunked) return chunked(text);
    if (fault == Fault::huge) return huge(options, whole);
    if (fault == Fault::bad_utf8) return bad_utf8(text);
    return ok(text);
}

}  // namespace craft::chat_server
