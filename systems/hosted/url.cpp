#include "systems/hosted/url.h"

#include <curl/curl.h>

#include <algorithm>
#include <memory>

#include "core/ascii.h"
#include "core/file_hash.h"

namespace craft {

namespace {

std::string part(CURLU* url, CURLUPart which, unsigned flags = 0) {
    char* text = nullptr;
    if (curl_url_get(url, which, &text, flags) != CURLUE_OK) return "";
    const std::unique_ptr<char, decltype(&curl_free)> owned(text, curl_free);
    return text;
}

std::string without_slashes(std::string text) {
    while (text.ends_with('/')) text.pop_back();
    return text;
}

}  // namespace

std::optional<Url> Url::parse(const std::string& text) {
    const std::unique_ptr<CURLU, decltype(&curl_url_cleanup)> url(curl_url(), curl_url_cleanup);
    if (url == nullptr || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) return std::nullopt;
    Url parsed;
    parsed.scheme = ascii_lower(part(url.get(), CURLUPART_SCHEME));
    parsed.host = ascii_lower(part(url.get(), CURLUPART_HOST));
    parsed.port = part(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
    parsed.path = part(url.get(), CURLUPART_PATH);
    parsed.query = part(url.get(), CURLUPART_QUERY);
    parsed.has_user = !part(url.get(), CURLUPART_USER).empty() || !part(url.get(), CURLUPART_PASSWORD).empty();
    parsed.has_fragment = text.find('#') != std::string::npos;
    if ((parsed.scheme != "http" && parsed.scheme != "https") || parsed.host.empty()) return std::nullopt;
    return parsed;
}

bool Url::is_loopback() const {
    if (host == "localhost" || host == "[::1]" || host == "::1") return true;
    // An address, not a name that begins like one ("127.evil.example").
    return host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string::npos;
}

std::string Url::origin() const {
    return scheme + "://" + host + ":" + port;
}

std::string url_below(const std::string& base, const std::string& path) {
    const size_t query = std::min(base.find('?'), base.size());
    return without_slashes(base.substr(0, query)) + path + base.substr(query);
}

std::string without_query(const std::string& url) {
    return url.substr(0, url.find('?'));
}

std::string without_operation(const std::string& base) {
    const size_t query = std::min(base.find('?'), base.size());
    const std::string start = without_slashes(base.substr(0, query)), operation = kChatCompletions;
    if (!start.ends_with(operation)) return base;
    return without_slashes(start.substr(0, start.size() - operation.size())) + base.substr(query);
}

std::string endpoint_name(const std::string& base) {
    const std::optional<Url> url = Url::parse(without_operation(base));
    if (!url) return without_query(base);
    const std::string name = url->origin() + without_slashes(url->path);
    return url->query.empty() ? name : name + "?" + hash128_text(url->query);
}

}  // namespace craft
