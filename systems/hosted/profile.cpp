#include "systems/hosted/profile.h"

#include <algorithm>
#include <array>

#include "core/ascii.h"
#include "core/options.h"
#include "core/utf8.h"
#include "systems/hosted/hosted_record.h"
#include "systems/hosted/url.h"

namespace craft {

namespace {

std::string lower_letters(const std::string& text) {
    std::string letters;  // "API-Key", "api_key" and "apikey" are one name
    for (const char c : text)
        if (c != '-' && c != '_') letters += ascii_lower(c);
    return letters;
}

bool names_a_key(const std::string& name) {
    static constexpr std::array<const char*, 12> kNames = {"key",     "apikey",      "authorization", "proxyauthorization",
                                                           "token",   "accesstoken", "bearer",        "bearertoken",
                                                           "xapikey", "secret",      "password",      "cookie"};
    const std::string letters = lower_letters(name);
    return std::find(kNames.begin(), kNames.end(), letters) != kNames.end() || letters.ends_with("apikey");
}

// Headers that say what a request's body is; another value would break it, or have no effect.
bool is_set_by_requests(const std::string& header) {
    const std::string letters = lower_letters(header);
    return letters.starts_with("content") || letters == "transferencoding";
}

constexpr const char* kOwnHeader = "expected a header that requests do not set themselves";

std::string key_within(const Json& value, const std::string& where) {
    if (value.is_array() || value.is_object()) {
        for (const auto& [name, item] : value.items()) {
            const std::string at = value.is_array() ? where + "[" + name + "]" : where + "." + shortened(name, 60);
            if (value.is_object() && names_a_key(name) && !item.is_null())
                return at +
                       ": a key has no place in a configuration; expected key_env (an environment variable's name) or "
                       "key_file";
            if (std::string problem = key_within(item, at); !problem.empty()) return problem;
        }
    }
    if (!value.is_string()) return "";
    const std::optional<Url> url = Url::parse(value.get<std::string>());
    if (url && url->has_user)
        return where + ": a name or password has no place in a URL; expected key_env or proxy_auth_env";
    if (url) {
        for (size_t at = 0; at < url->query.size();) {
            const size_t end = std::min(url->query.find('&', at), url->query.size());
            const std::string field = url->query.substr(at, end - at);
            if (names_a_key(field.substr(0, field.find('='))))
                return where + ": a key has no place in a URL; expected key_env and key_header";
            at = end + 1;
        }
    }
    return "";
}

void bind_endpoint(OptionTable& t, HostedEndpoint& e) {
    t.add("base_url", e.base_url, "base URL");
    t.add("weight", e.weight, "share of requests").min(0.001).max(1000);
    t.add("key_env", e.key_env, "environment variable of the key");
    t.add("key_file", e.key_file, "file of the key");
    t.add("key_header", e.key_header, "header of the key");
}

void bind_request(OptionTable& t, HostedProfile& p) {
    t.add("model", p.model, "the model's name");
    t.add("serves", p.serves, "a name of the one model that all endpoints serve");
    t.add("temperature", p.temperature, "temperature").min(0).max(10);
    t.add("top_p", p.top_p, "top_p").min(0).max(1);
    t.add("seed", p.seed, "seed").min(0);
    t.add_enum("max_tokens_field", p.max_tokens_field,
               {{"auto", MaxTokensField::automatic},
                {"max_tokens", MaxTokensField::max_tokens},
                {"max_completion_tokens", MaxTokensField::max_completion_tokens},
                {"none", MaxTokensField::none}},
               "the limit's name");
    t.add_enum("grammar", p.grammar,
               {{"none", HostedGrammar::none},
                {"structured_outputs", HostedGrammar::structured_outputs},
                {"guided_grammar", HostedGrammar::guided_grammar},
                {"gbnf", HostedGrammar::gbnf}},
               "how the server takes a grammar");
    t.add("omit", p.omit, "fields that are not sent");
    t.add("headers", p.headers, "headers");
    t.add("extra_body", p.extra_body, "fields of the body");
    t.add("chat_template_kwargs", p.chat_template_kwargs, "the chat template's switches");
    t.add("supports_n", p.supports_n, "samples in one request").was("n_works");
    t.add("send_reasoning", p.send_reasoning, "reasoning of earlier turns");
}

void bind_pace(OptionTable& t, HostedProfile& p) {
    t.add("concurrency", p.concurrency, "requests at once; 0: adapted").min(0).max(1024);
    t.add("max_concurrency", p.max_concurrency, "maximum requests at once").min(1).max(1024);
    t.add("requests_per_minute", p.requests_per_minute, "limit").min(1);
    t.add("tokens_per_minute", p.tokens_per_minute, "limit").min(1);
    t.add("timeouts.connect", p.timeouts.connect, "seconds").min(0.01).max(86400);
    t.add("timeouts.first_byte", p.timeouts.first_byte, "seconds").min(0.01).max(86400);
    t.add("timeouts.total", p.timeouts.total, "seconds").min(0.01).max(86400).was("timeouts.whole");
    t.add("retries.max_retries", p.retries.max_retries, "retries of a request").min(0).max(100).was("retries.most");
    t.add("retries.initial_backoff", p.retries.initial_backoff, "seconds").min(0).max(3600).was("retries.first_wait");
    t.add("retries.max_backoff", p.retries.max_backoff, "seconds").min(0).max(86400).was("retries.longest_wait");
    t.add("retries.max_retry_after", p.retries.max_retry_after, "seconds").min(0).max(86400).was("retries.longest_asked");
    t.add("error_rate.share", p.error_rate.share, "share of failed items").min(0).max(1);
    t.add("error_rate.window", p.error_rate.window, "items").min(1).max(100000);
    t.add("budget.usd", p.budget.usd, "USD").min(0);
    t.add("budget.requests", p.budget.requests, "requests").min(0);
    t.add("budget.tokens", p.budget.tokens, "tokens").min(0);
    t.add("prices.input", p.prices.input, "USD per million tokens").min(0);
    t.add("prices.cached_input", p.prices.cached_input, "USD per million tokens").min(0);
    t.add("prices.output", p.prices.output, "USD per million tokens").min(0);
    t.add("proxy", p.proxy, "the proxy's URL");
    t.add("proxy_auth_env", p.proxy_auth_env, "environment variable of user:password");
    t.add("ca_file", p.ca_file, "certificates");
    t.add("grace", p.grace, "seconds").min(0).max(3600);
}

class ProfileReader {
public:
    explicit ProfileReader(const std::string& name) : where_("openai." + name) { profile_.name = name; }

    HostedProfile read(const Json& tree) {
        if (!tree.is_object()) throw UsageError(where_ + ": expected an object, got " + tree.type_name());
        if (std::string problem = key_within(tree, where_); !problem.empty()) throw UsageError(problem);
        read_fields(tree);
        check_endpoints();
        check_request();
        check_costs();
        if (!problems_.empty()) throw UsageError(problems_);
        return std::move(profile_);
    }

private:
    void problem(const std::string& key, const std::string& text) { problems_.push_back(where_ + "." + key + ": " + text); }

    void take(const OptionTable& table) {
        problems_.insert(problems_.end(), table.problems().begin(), table.problems().end());
    }

    void read_fields(const Json& tree) {
        Json fields = tree;
        const Json list = has_value(fields, "endpoints") ? fields["endpoints"] : Json();
        fields.erase("endpoints");
        HostedEndpoint one;
        OptionTable table;
        table.set_hint("docs/hosted.md lists the known ones");
        bind_endpoint(table, one);
        bind_request(table, profile_);
        bind_pace(table, profile_);
        table.apply_json(without_nulls(fields), where_);
        take(table);
        const bool has_one = !one.base_url.empty();
        if (has_one) profile_.endpoints.push_back(one);
        if (list.is_null()) return;
        if (has_one) problem("endpoints", "expected either base_url or endpoints, got both");
        if (!list.is_array())
            return problem("endpoints", std::string("expected a list of objects, got ") + list.type_name());
        for (size_t i = 0; i < list.size(); ++i) read_endpoint(list[i], "endpoints[" + std::to_string(i) + "]", one);
    }

    // `shared` is what stands beside the list: the key of all endpoints that name none.
    void read_endpoint(const Json& tree, const std::string& key, HostedEndpoint shared) {
        if (!tree.is_object()) return problem(key, std::string("expected an object, got ") + tree.type_name());
        OptionTable table;
        table.set_hint("known: base_url, weight, key_env, key_file, key_header");
        if (has_value(tree, "key_env") || has_value(tree, "key_file")) shared.key_env = "", shared.key_file = "";
        shared.base_url.clear();
        bind_endpoint(table, shared);
        table.apply_json(without_nulls(tree), where_ + "." + key);
        take(table);
        profile_.endpoints.push_back(std::move(shared));
    }

    void check_endpoints() {
        if (profile_.endpoints.empty()) problem("base_url", "expected the server's base URL, got none");
        for (size_t i = 0; i < profile_.endpoints.size(); ++i) {
            HostedEndpoint& endpoint = profile_.endpoints[i];
            endpoint.base_url = without_operation(endpoint.base_url);
            const std::string key = profile_.endpoints.size() > 1 ? "endpoints[" + std::to_string(i) + "]." : "";
            const std::optional<Url> url = Url::parse(endpoint.base_url);
            if (!url) {
                problem(key + "base_url", "expected an http or https URL, got '" + shortened(endpoint.base_url, 80) + "'");
                continue;
            }
            if (url->has_fragment)
                problem(key + "base_url", "expected a URL without a #fragment, which servers are not sent");
            const bool has_key = !endpoint.key_env.empty() || !endpoint.key_file.empty();
            if (!endpoint.key_env.empty() && !endpoint.key_file.empty())
                problem(key + "key_env", "expected either key_env or key_file, got both");
            if (has_key && url->scheme == "http") check_plain(key, *url);
            if (endpoint.key_header.empty() || endpoint.key_header.find_first_of(": \r\n") != std::string::npos)
                problem(key + "key_header",
                        "expected a header's name, got '" + shortened(one_line(endpoint.key_header), 40) + "'");
            if (is_set_by_requests(endpoint.key_header)) problem(key + "key_header", kOwnHeader);
        }
        const std::optional<Url> proxy = Url::parse(profile_.proxy);
        if (!profile_.proxy.empty() && !proxy && !profile_.proxy.starts_with("socks"))
            problem("proxy",
                    "expected a URL (http, https, socks4, socks5, socks5h), got '" + shortened(profile_.proxy, 80) + "'");
        if (!profile_.proxy_auth_env.empty() && profile_.proxy.empty())
            problem("proxy_auth_env", "expected a proxy with it, got none");
    }

    void check_plain(const std::string& key, const Url& url) {
        if (!url.is_loopback())
            problem(key + "base_url",
                    "a key is sent over plain http only to this machine: expected https, got http to " + url.host);
        const std::optional<Url> proxy = Url::parse(profile_.proxy);
        if (!profile_.proxy.empty() && !(proxy && proxy->is_loopback()))
            problem("proxy", "a key is sent over plain http only to this machine, not through a proxy elsewhere");
    }

    void check_request() {
        if (profile_.model.empty()) problem("model", "expected the model's name, got none");
        for (const char* taken : {"model", "messages", "stream", "n", kAskedOf})
            if (profile_.extra_body.contains(taken))
                problem(std::string("extra_body.") + taken, "expected a field that is not set already");
        if (!profile_.chat_template_kwargs.empty() && profile_.extra_body.contains("chat_template_kwargs"))
            problem("chat_template_kwargs", "is also in extra_body; one of them would have no effect");
        for (const auto& [name, value] : profile_.headers.items()) {
            const bool is_good = value.is_string() && !name.empty() && name.find_first_of(": \r\n") == std::string::npos &&
                                 value.get_ref<const std::string&>().find_first_of("\r\n") == std::string::npos;
            const std::string key = "headers." + shortened(one_line(name), 40);
            if (!is_good) problem(key, "expected a name and a text of one line");
            if (is_set_by_requests(name)) problem(key, kOwnHeader);
        }
        const char* const grammar = grammar_field(profile_.grammar);
        if (profile_.extra_body.contains(grammar))
            problem(std::string("extra_body.") + grammar, "expected a field that the profile's grammar does not set");
        for (const std::string& name : profile_.omit)
            if (name == "model" || name == "messages" || (!name.empty() && name == grammar))
                problem("omit", "'" + name + "' is needed in every request");
        if (profile_.concurrency > profile_.max_concurrency)
            problem("concurrency", "expected at most max_concurrency, got " + std::to_string(profile_.concurrency));
    }

    void check_costs() {
        if (profile_.prices.input.has_value() != profile_.prices.output.has_value())
            problem("prices", "expected both input and output, got one of them");
        if (profile_.prices.cached_input && !profile_.prices.input)
            problem("prices.cached_input", "expected input with it, got none");
        if (profile_.budget.usd && !profile_.prices.are_known())
            problem("budget.usd", "expected prices.input and prices.output with it: without them no cost is known");
    }

    std::string where_;
    HostedProfile profile_;
    std::vector<std::string> problems_;
};

}  // namespace

const char* grammar_field(HostedGrammar grammar) {
    switch (grammar) {
        case HostedGrammar::none:
            return "";
        case HostedGrammar::structured_outputs:
            return "structured_outputs";
        case HostedGrammar::guided_grammar:
            return "guided_grammar";
        case HostedGrammar::gbnf:
            return "grammar";
    }
    return "";
}

HostedProfile HostedProfile::parse(const std::string& name, const Json& tree) {
    return ProfileReader(name).read(tree);
}

HostedProfile HostedProfile::named(const Json& profiles, const std::string& name, const std::string& where) {
    if (has_value(profiles, name)) return parse(name, profiles[name]);
    std::vector<std::string> known;
    std::string list;
    for (const auto& [other, tree] : profiles.items()) {
        known.push_back(other);
        list += (list.empty() ? "" : ", ") + other;
    }
    throw UsageError(where + ": unknown profile openai:" + shortened(name, 80) + "; " +
                     (list.empty()
                          ? "the configuration has none: --set openai." + shortened(name, 80) + ".model=... (docs/hosted.md)"
                          : "known: " + list) +
                     did_you_mean(name, known));
}

HostedProfile HostedProfile::shared_by(int64_t processes) const {
    HostedProfile share = *this;
    if (share.budget.usd) *share.budget.usd /= static_cast<double>(processes);
    for (auto* limit : {&share.budget.requests, &share.budget.tokens, &share.requests_per_minute, &share.tokens_per_minute})
        if (*limit) **limit /= processes;
    if (share.concurrency > 0) share.concurrency = std::max<int64_t>(1, share.concurrency / processes);
    share.max_concurrency = std::max<int64_t>(1, share.max_concurrency / processes);
    return share;
}

std::string HostedProfile::held_key(const Json& profiles) {
    return key_within(profiles, "openai");
}

}  // namespace craft
