#include "systems/hosted/transport.h"

#include <curl/curl.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <unordered_map>
#include <utility>

#include "core/error.h"
#include "core/utf8.h"
#include "systems/hosted/retry_after.h"
#include "systems/hosted/url.h"

namespace craft {

// What Transport::Parts is made of.
namespace transport_parts {

struct EasyCloser {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
using Easy = std::unique_ptr<CURL, EasyCloser>;

// Lines of a request's head. They hold keys, so that they are zeroed when they go.
struct HeaderLines {
    HeaderLines() = default;
    HeaderLines(HeaderLines&& other) noexcept : lines(std::exchange(other.lines, nullptr)) {}
    HeaderLines& operator=(HeaderLines&&) = delete;
    HeaderLines(const HeaderLines&) = delete;
    HeaderLines& operator=(const HeaderLines&) = delete;
    ~HeaderLines() {
        for (curl_slist* line = lines; line != nullptr; line = line->next)
            ::explicit_bzero(line->data, std::strlen(line->data));
        curl_slist_free_all(lines);
    }
    void add(const std::string& line) { lines = curl_slist_append(lines, line.c_str()); }
    curl_slist* lines = nullptr;
};

struct Transfer {
    uint64_t id = 0;
    Easy easy;
    std::string sent, received;
    double first_byte_due = 0;
    int64_t sends = 0;
    bool has_first_byte = false, is_too_large = false;
    std::array<char, CURL_ERROR_SIZE> error{};
};

}  // namespace transport_parts

using transport_parts::Easy;
using transport_parts::HeaderLines;
using transport_parts::Transfer;

namespace {

HeaderLines header_lines(const HostedProfile& profile, const HostedEndpoint& endpoint, const Secret& key) {
    HeaderLines lines;
    lines.add("Content-Type: application/json");
    lines.add("Expect:");  // a reply is worth more than the body that a refusal would save
    for (const auto& [name, value] : profile.headers.items()) lines.add(name + ": " + value.get<std::string>());
    if (!key) return lines;
    const bool is_bearer = ::strcasecmp(endpoint.key_header.c_str(), "Authorization") == 0;
    std::string line = endpoint.key_header + (is_bearer ? ": Bearer " : ": ");
    line.reserve(line.size() + key.reveal().size());  // no second copy is left behind
    line += key.reveal();
    lines.add(line);
    ::explicit_bzero(line.data(), line.size());
    return lines;
}

size_t take_body(char* bytes, size_t size, size_t count, void* to) {
    auto& transfer = *static_cast<Transfer*>(to);
    transfer.is_too_large = transfer.received.size() + size * count > Transport::kLargestReply;
    if (transfer.is_too_large) return 0;
    transfer.received.append(bytes, size * count);
    return size * count;
}

size_t note_head(char*, size_t size, size_t count, void* to) {
    static_cast<Transfer*>(to)->has_first_byte = true;
    return size * count;
}

// libcurl sends again by itself where a connection that it had kept breaks without a byte, which servers do to idle ones.
// Once is fair; more would be retries that nobody asked for.
int count_send(void* of, char*, char*, int, int) {
    int64_t& sends = static_cast<Transfer*>(of)->sends;
    if (sends == 2) return CURL_PREREQFUNC_ABORT;
    ++sends;
    return CURL_PREREQFUNC_OK;
}

long milliseconds(double seconds) {
    return std::max(1L, static_cast<long>(std::ceil(seconds * 1000)));
}

HttpAnswer::End end_of(CURLcode code) {
    switch (code) {
        case CURLE_OK:
            return HttpAnswer::End::replied;
        case CURLE_OPERATION_TIMEDOUT:
            return HttpAnswer::End::timed_out;
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_CACERT_BADFILE:
        case CURLE_SSL_ISSUER_ERROR:
            return HttpAnswer::End::untrusted;
        case CURLE_PARTIAL_FILE:
        case CURLE_WRITE_ERROR:
        case CURLE_BAD_CONTENT_ENCODING:
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_UNSUPPORTED_PROTOCOL:
            return HttpAnswer::End::cut_short;
        default:
            return HttpAnswer::End::dropped;
    }
}

void start_libcurl() {
    static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);  // once a process, whoever comes first
    if (started != CURLE_OK) throw Error(std::string("libcurl cannot be started: ") + curl_easy_strerror(started));
}

}  // namespace

using namespace transport_parts;

double steady_seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

HostedKeys HostedKeys::read(const HostedProfile& profile) {
    HostedKeys keys;
    std::vector<std::string> problems;
    const auto read = [&](const auto& from) -> Secret {
        try {
            return from();
        } catch (const Error& error) {
            problems.push_back("openai." + profile.name + ": " + error.what());
            return {};
        }
    };
    for (const HostedEndpoint& endpoint : profile.endpoints) {
        keys.endpoints.push_back(read([&] {
            if (!endpoint.key_env.empty()) return Secret::from_environment(endpoint.key_env);
            return endpoint.key_file.empty() ? Secret() : Secret::from_file(endpoint.key_file);
        }));
    }
    keys.proxy =
        read([&] { return profile.proxy_auth_env.empty() ? Secret() : Secret::from_environment(profile.proxy_auth_env); });
    if (!problems.empty()) throw UsageError(problems);
    return keys;
}

std::string HostedKeys::redacted(std::string text) const {
    for (const Secret& key : endpoints) text = key.redacted(text);
    return proxy.redacted(text);
}

std::string HostedKeys::redacted_words(std::string text) const {
    for (const Secret& key : endpoints) text = key.redacted_words(text);
    return proxy.redacted_words(text);
}

struct Transport::Parts {
    Parts(const HostedProfile& of, const HostedKeys& with) : profile(of), keys(with), multi(curl_multi_init()) {
        if (multi == nullptr) throw Error("libcurl cannot be started: out of memory");
        for (size_t i = 0; i < profile.endpoints.size(); ++i) {
            heads.push_back(header_lines(profile, profile.endpoints[i], keys.endpoints[i]));
            const std::optional<Url> url = Url::parse(profile.endpoints[i].base_url);
            skips_proxy.push_back(profile.proxy.empty() && url && url->is_loopback());
        }
        const int64_t most = profile.max_concurrency * static_cast<int64_t>(profile.endpoints.size());
        curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, static_cast<long>(most + 8));
    }
    ~Parts() {
        end_all();
        idle.clear();
        curl_multi_cleanup(multi);
    }
    Parts(const Parts&) = delete;
    Parts& operator=(const Parts&) = delete;

    Easy new_easy() const {
        Easy easy(curl_easy_init());
        CURL* c = easy.get();
        if (c == nullptr) throw Error("libcurl cannot start a request: out of memory");
        curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
        curl_easy_setopt(c, CURLOPT_USERAGENT, "craft-train");
        curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "");
        curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, milliseconds(profile.timeouts.connect));
        curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, milliseconds(profile.timeouts.total));
        curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, take_body);
        curl_easy_setopt(c, CURLOPT_HEADERFUNCTION, note_head);
        curl_easy_setopt(c, CURLOPT_PREREQFUNCTION, count_send);
        if (!profile.ca_file.empty()) curl_easy_setopt(c, CURLOPT_CAINFO, profile.ca_file.c_str());
        if (keys.proxy) {
            curl_easy_setopt(c, CURLOPT_PROXYAUTH, CURLAUTH_ANY);
            std::string login(keys.proxy.reveal());
            curl_easy_setopt(c, CURLOPT_PROXYUSERPWD, login.c_str());
            ::explicit_bzero(login.data(), login.size());
        }
        return easy;
    }

    void start(uint64_t id, size_t endpoint, const std::string& url, std::string body, bool is_get) {
        auto transfer = std::make_unique<Transfer>();
        transfer->id = id;
        transfer->sent = std::move(body);
        transfer->first_byte_due = steady_seconds() + profile.timeouts.first_byte;
        if (idle.empty()) idle.push_back(new_easy());
        transfer->easy = std::move(idle.back());
        idle.pop_back();
        CURL* c = transfer->easy.get();
        curl_easy_setopt(c, CURLOPT_URL, url.c_str());
        curl_easy_setopt(c, CURLOPT_HTTPHEADER, heads[endpoint].lines);
        curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(transfer->sent.size()));
        curl_easy_setopt(c, CURLOPT_POSTFIELDS, transfer->sent.c_str());
        if (is_get) curl_easy_setopt(c, CURLOPT_HTTPGET, 1L);  // after the fields, which mean a POST to libcurl
        curl_easy_setopt(c, CURLOPT_WRITEDATA, transfer.get());
        curl_easy_setopt(c, CURLOPT_HEADERDATA, transfer.get());
        curl_easy_setopt(c, CURLOPT_PREREQDATA, transfer.get());
        curl_easy_setopt(c, CURLOPT_ERRORBUFFER, transfer->error.data());
        // Without a proxy of its own a profile takes the environment's, which is not meant for this machine's servers; its
        // own is asked for every host, whatever the environment exempts.
        if (skips_proxy[endpoint]) {
            curl_easy_setopt(c, CURLOPT_PROXY, "");
        } else if (!profile.proxy.empty()) {
            curl_easy_setopt(c, CURLOPT_PROXY, profile.proxy.c_str());
            curl_easy_setopt(c, CURLOPT_NOPROXY, "");
        } else {
            curl_easy_setopt(c, CURLOPT_PROXY, nullptr);
            curl_easy_setopt(c, CURLOPT_NOPROXY, nullptr);
        }
        curl_multi_add_handle(multi, c);
        transfers.emplace(c, std::move(transfer));
    }

    HttpAnswer answer_of(Transfer& transfer, CURLcode code) const {
        CURL* c = transfer.easy.get();
        HttpAnswer answer;
        answer.id = transfer.id;
        answer.sends = transfer.sends;
        answer.end = end_of(code);
        curl_easy_getinfo(c, CURLINFO_RESPONSE_CODE, &answer.status);
        long connect_status = 0;
        curl_easy_getinfo(c, CURLINFO_HTTP_CONNECTCODE, &connect_status);
        if (code != CURLE_OK) {
            const std::string detail = transfer.error[0] != '\0' ? transfer.error.data() : curl_easy_strerror(code);
            answer.error =
                transfer.is_too_large ? "a reply of more than 32 MB" : one_line(shortened(keys.redacted(detail), 200));
            // What a proxy refuses never was a request to the server.
            if (connect_status == 407) answer.end = HttpAnswer::End::replied, answer.status = 407;
            return answer;
        }
        answer.body = std::move(transfer.received);
        curl_header* after = nullptr;  // libcurl's own reading of it drops fractions and takes days that do not exist
        if (curl_easy_header(c, "Retry-After", 0, CURLH_HEADER, -1, &after) == CURLHE_OK)
            answer.retry_after = retry_after_seconds(after->value, std::time(nullptr));
        char* url = nullptr;
        if (curl_easy_getinfo(c, CURLINFO_REDIRECT_URL, &url) == CURLE_OK && url != nullptr) answer.redirect = url;
        return answer;
    }

    // Takes a request out; its handle, with nothing of it, serves another one.
    void release(CURL* c) {
        curl_multi_remove_handle(multi, c);
        auto node = transfers.extract(c);
        for (const CURLoption data :
             {CURLOPT_ERRORBUFFER, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_PREREQDATA, CURLOPT_POSTFIELDS})
            curl_easy_setopt(c, data, nullptr);
        idle.push_back(std::move(node.mapped()->easy));
    }

    void collect(std::vector<HttpAnswer>& ended) {
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL* c = message->easy_handle;
            ended.push_back(answer_of(*transfers.at(c), message->data.result));
            release(c);
        }
    }

    // libcurl has no limit for the first byte.
    double end_late(std::vector<HttpAnswer>& ended) {
        const double now = steady_seconds();
        double next = now + 3600;
        std::vector<CURL*> late;
        for (const auto& [easy, transfer] : transfers) {
            if (transfer->has_first_byte) continue;
            if (now >= transfer->first_byte_due)
                late.push_back(easy);
            else
                next = std::min(next, transfer->first_byte_due);
        }
        for (CURL* easy : late) {
            HttpAnswer answer;
            answer.id = transfers.at(easy)->id;
            answer.sends = transfers.at(easy)->sends;
            answer.end = HttpAnswer::End::timed_out;
            answer.error = "no byte within " + Json(profile.timeouts.first_byte).dump() + " s";
            ended.push_back(std::move(answer));
            release(easy);
        }
        return next - now;
    }

    void perform() {
        int running = 0;
        if (const CURLMcode code = curl_multi_perform(multi, &running); code != CURLM_OK)
            throw Error(std::string("libcurl: ") + curl_multi_strerror(code));
    }

    void end_all() {
        while (!transfers.empty()) release(transfers.begin()->first);
    }

    const HostedProfile& profile;
    const HostedKeys& keys;
    CURLM* multi;
    std::vector<HeaderLines> heads;
    std::vector<bool> skips_proxy;
    std::vector<Easy> idle;
    std::unordered_map<CURL*, std::unique_ptr<Transfer>> transfers;
};

Transport::Transport(const HostedProfile& profile, const HostedKeys& keys) {
    start_libcurl();
    parts_ = std::make_unique<Parts>(profile, keys);
}

Transport::~Transport() = default;

void Transport::start(uint64_t id, size_t endpoint, const std::string& url, std::string body) {
    parts_->start(id, endpoint, url, std::move(body), false);
}

void Transport::start_get(uint64_t id, size_t endpoint, const std::string& url) {
    parts_->start(id, endpoint, url, "", true);
}

std::vector<HttpAnswer> Transport::turn(double seconds) {
    std::vector<HttpAnswer> ended;
    parts_->perform();
    parts_->collect(ended);
    const double patience = std::min(seconds, parts_->end_late(ended));
    if (!ended.empty() || patience <= 0) return ended;
    curl_multi_poll(parts_->multi, nullptr, 0, static_cast<int>(milliseconds(std::min(patience, 3600.0))), nullptr);
    parts_->perform();
    parts_->collect(ended);
    return ended;
}

void Transport::wake() {
    curl_multi_wakeup(parts_->multi);
}

void Transport::abandon() {
    parts_->end_all();
}

size_t Transport::in_flight() const {
    return parts_->transfers.size();
}

}  // namespace craft
