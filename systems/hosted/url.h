// What the rules about hosts and keys need to know of a URL.
#pragma once

#include <optional>
#include <string>

namespace craft {

constexpr const char* kChatCompletions = "/chat/completions";  // the operation, below a base URL

struct Url {
    std::string scheme, host, port;  // lower case; the port as its scheme has it where none is given
    std::string path, query;
    bool has_user = false;      // a name or password before the host
    bool has_fragment = false;  // "#..." at the end, which no server is sent

    // Absent where it is no http or https URL.
    static std::optional<Url> parse(const std::string& text);
    bool is_loopback() const;
    std::string origin() const;  // "https://host:443"
    bool is_same_host(const Url& other) const { return scheme == other.scheme && host == other.host && port == other.port; }
};

// `base` with a path added, before its query.
std::string url_below(const std::string& base, const std::string& path);
// What may be shown of a URL: its query may hold what is nobody's business.
std::string without_query(const std::string& url);
// A base URL without the operation at its end ("/chat/completions"), which documents of servers often show with it.
std::string without_operation(const std::string& base);
// By what a recorded answer knows its server: scheme, host in small letters, port and path of a base URL, whatever way it
// is written, and a hash of its query, which may hold a secret: "http://127.0.0.1:8080/v1".
std::string endpoint_name(const std::string& base);

}  // namespace craft
