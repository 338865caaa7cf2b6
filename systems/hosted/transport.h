// HTTP requests to the endpoints of a profile, many at once, over connections that are kept (libcurl's multi interface).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "systems/hosted/profile.h"
#include "systems/hosted/secret.h"

namespace craft {

struct HttpAnswer {
    enum class End {
        replied,    // `status` and `body` are there
        timed_out,  // `error` says which of the three times was over
        dropped,    // no connection, or one that broke
        cut_short,  // the body is shorter than the server said, larger than is read, or no HTTP
        untrusted   // the server's certificate is not to be trusted, or no certificates could be read
    };
    uint64_t id = 0;
    End end = End::replied;
    long status = 0;
    std::string body;
    std::string error;                  // one line; holds no key
    std::optional<double> retry_after;  // seconds from now, as the server asks
    int64_t sends = 0;                  // how often it went out: once more where a kept connection broke without a byte
    std::string redirect;               // where a 3xx leads to, as a whole URL
};

// The keys of a profile, read once: Throws UsageError with every one that is missing or unreadable.
struct HostedKeys {
    std::vector<Secret> endpoints;  // one each; may be none
    Secret proxy;                   // user:password
    static HostedKeys read(const HostedProfile& profile);
    std::string redacted(std::string text) const;        // of what is shown (Secret::redacted)
    std::string redacted_words(std::string text) const;  // of what a model wrote
};

// Redirects are not followed. All functions but wake() belong to one thread.
class Transport {
public:
    static constexpr size_t kLargestReply = size_t{32} << 20;  // bytes; a larger one is cut_short

    // `profile` and `keys` must outlive it. Throws Error where libcurl cannot be started.
    Transport(const HostedProfile& profile, const HostedKeys& keys);
    ~Transport();
    Transport(const Transport&) = delete;
    Transport& operator=(const Transport&) = delete;

    // Posts `body`, at most twice (HttpAnswer::sends); `url` lies on the endpoint's host. turn() hands out its end under
    // this id, once.
    void start(uint64_t id, size_t endpoint, const std::string& url, std::string body);
    void start_get(uint64_t id, size_t endpoint, const std::string& url);  // the same without a body
    // Moves all requests on; waits up to `seconds` for one to end, unless wake() is called.
    std::vector<HttpAnswer> turn(double seconds);
    void wake();     // from any thread
    void abandon();  // ends all requests without an answer
    size_t in_flight() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// Seconds on a clock that only runs forward.
double steady_seconds();

}  // namespace craft
