#include "gec/retrieval/web_search.h"

#include "core/utf8.h"
#include "gec/retrieval/compared_words.h"
#include "systems/hosted/transport.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

// RFC 3986: all but letters, digits and four signs as %XX.
std::string percent_encoded(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string encoded;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
                           c == '.' || c == '_' || c == '~';
        if (plain)
            encoded += c;
        else
            encoded.append({'%', kDigits[byte >> 4U], kDigits[byte & 15U]});
    }
    return encoded;
}

HostedProfile search_profile(const WebSearchOptions& options) {
    HostedProfile profile;
    profile.name = "searxng";
    profile.endpoints = {{.base_url = options.url}};
    profile.timeouts = {options.timeout, options.timeout, options.timeout};
    return profile;
}

Reply reply_of(const HttpAnswer& answer, const WebResultLimits& limits) {
    using End = HttpAnswer::End;
    if (answer.end != End::replied)
        return Reply::failed(answer.end == End::timed_out ? Failure::timed_out : Failure::dropped, answer.error);
    if (answer.status != 200) {
        const Failure failure = answer.status == 429                          ? Failure::rate_limited
                                : answer.status >= 300 && answer.status < 400 ? Failure::redirected
                                : answer.status < 500                         ? Failure::refused_request
                                                                              : Failure::server_error;
        return Reply::failed(failure, "HTTP " + std::to_string(answer.status));
    }
    const WebResults found = read_web_results(answer.body, limits);
    if (!found.problem.empty()) return Reply::failed(Failure::not_json, found.problem);
    Reply reply;
    reply.text = web_results_text(found);
    return reply;
}

}  // namespace

SearxngSystem::SearxngSystem(WebSearchOptions options) : options_(std::move(options)) {
    const auto url = Url::parse(options_.url);
    if (!url || url->has_fragment || url->has_user)
        throw UsageError("web search: expected the http or https URL of a SearXNG server without a user, got '" +
                         shortened(one_line(options_.url), 100) + "'");
}

std::string SearxngSystem::query_of(const Request& request) const {
    const Json& messages = request.conversation.messages;
    if (messages.empty()) return "";
    const auto content = messages.back().find("content");
    if (content == messages.back().end() || !content->is_string()) return "";
    const std::string line =
        shown_line(content->get_ref<const std::string&>(), static_cast<size_t>(options_.query_characters));
    return line;
}

Json SearxngSystem::record(const Request& request, const SamplingOptions& /*sampling*/) const {
    return {{"searxng", options_.url},
            {"query", query_of(request)},
            {"results", options_.limits.results},
            {"characters", options_.limits.characters}};
}

std::vector<Reply> SearxngSystem::answer_into(const std::vector<Request>& requests, const SamplingOptions& /*sampling*/,
                                              const ReplySink& sink) {
    const HostedProfile profile = search_profile(options_);
    const HostedKeys keys = HostedKeys::read(profile);
    Transport transport(profile, keys);
    std::vector<Reply> replies(requests.size());
    for (size_t i = 0; i < requests.size(); ++i) {
        const std::string query = query_of(requests[i]);
        if (query.empty()) {
            replies[i].text = web_results_text({});
            continue;
        }
        std::string url = url_below(options_.url, "/search");
        url += url.find('?') == std::string::npos ? '?' : '&';
        transport.start_get(i, 0, url + "q=" + percent_encoded(query) + "&format=json");
    }
    while (transport.in_flight() > 0)
        for (const HttpAnswer& answer : transport.turn(1)) replies[answer.id] = reply_of(answer, options_.limits);
    report_all(replies, sink);
    return replies;
}

}  // namespace craft
