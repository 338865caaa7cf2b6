// What the configuration says of a hosted model: `openai: {PROFILE: {...}}`. A profile names its model, its endpoints and
// their keys, how answers are drawn, what it may cost and how fast it is asked.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"

namespace craft {

struct HostedEndpoint {
    std::string base_url = {};            // "https://api.openai.com/v1"; "/chat/completions" is added before a query
    double weight = 1;                    // share of requests and of `concurrency`, relative to the other endpoints'
    std::string key_env = {};             // environment variable that holds the key; empty: none
    std::filesystem::path key_file = {};  // or the file that holds it; empty: none
    std::string key_header =
        "Authorization";  // the key's header: Authorization has "Bearer " before the key, others the bare key ("api-key")
};

// How the limit of new tokens is called in a request.
enum class MaxTokensField {
    automatic,  // max_tokens, until the server asks for max_completion_tokens
    max_tokens,
    max_completion_tokens,
    none  // not sent: the server's own limit holds
};

// How a server takes the grammar that answers are to keep (SamplingOptions::constrain_calls).
enum class HostedGrammar {
    none,                // it takes none: asking for constrained answers is an error
    structured_outputs,  // vLLM: {"structured_outputs": {"grammar": ...}}
    guided_grammar,      // vLLM before 0.12: {"guided_grammar": ...}
    gbnf                 // llama.cpp: {"grammar": ...}
};

// The field of a request that holds it: "structured_outputs"; "" for none.
const char* grammar_field(HostedGrammar grammar);

struct HostedTimeouts {
    double connect = 10;      // seconds until the connection stands
    double first_byte = 300;  // seconds from the request to the reply's first byte
    double total = 600;       // seconds in all
};

struct HostedRetries {
    int64_t max_retries = 6;       // requests after the first one, for an item; 0: none
    double initial_backoff = 0.5;  // seconds before the first of them, twice that before the second, and so on
    double max_backoff = 60;       // seconds at most between two requests by our own choice
    double max_retry_after = 120;  // seconds: a server's Retry-After beyond this ends the item instead
};

// The run ends when too many of the last items failed for the server's reasons.
struct ErrorRate {
    double share = 0.5;   // of the last items; 1: never
    int64_t window = 50;  // items that are looked back at
};

struct HostedBudget {  // of one run; absent: no limit
    std::optional<double> usd = {};
    std::optional<int64_t> requests = {};
    std::optional<int64_t> tokens = {};  // of prompts and answers
};

struct HostedPrices {  // USD for a million tokens; absent: not known
    std::optional<double> input = {}, output = {};
    std::optional<double> cached_input = {};  // absent: as `input`
    bool are_known() const { return input && output; }
};

struct HostedProfile {
    std::string name;
    std::string model;
    std::vector<HostedEndpoint> endpoints;
    // A name of the one model that all endpoints serve, wherever they are: recorded answers go by it. Empty: they go by the
    // endpoints and by what these say of their model.
    std::string serves;
    std::optional<double> temperature, top_p;  // in place of what the command asks for
    std::optional<int64_t> seed;               // sample k is asked with seed + k; absent: none is sent
    MaxTokensField max_tokens_field = MaxTokensField::automatic;
    HostedGrammar grammar = HostedGrammar::none;
    std::vector<std::string> omit;               // fields of requests that the server refuses ("temperature"): not sent
    Json headers = Json::object();               // sent with every request; no place for keys
    Json extra_body = Json::object();            // fields added to every request's body
    Json chat_template_kwargs = Json::object();  // the same as extra_body.chat_template_kwargs
    bool supports_n = false;                     // the samples of an item are asked for in one request
    bool send_reasoning = false;                 // earlier turns keep their reasoning_content
    int64_t concurrency = 0;        // requests at once to the endpoint of the highest weight; 0: adapted to what each bears
    int64_t max_concurrency = 256;  // the adapted number's limit
    std::optional<int64_t> requests_per_minute, tokens_per_minute;  // in all; absent: no limit
    HostedTimeouts timeouts = {};
    HostedRetries retries = {};
    ErrorRate error_rate = {};
    HostedBudget budget = {};
    HostedPrices prices = {};
    std::string proxy;              // URL; empty: the environment's (https_proxy), and none to the loopback
    std::string proxy_auth_env;     // environment variable that holds user:password for the proxy
    std::filesystem::path ca_file;  // certificates to trust in place of the system's
    double grace = 5;               // seconds that answers under way are waited for when the run ends early

    // `tree` is the profile's object. Throws UsageError with every problem, each naming the key: unknown ones with the
    // nearest known one, wrong types and ranges, no model, no endpoint, keys and passwords where they may not stand, a key
    // over plain http to another machine.
    static HostedProfile parse(const std::string& name, const Json& tree);
    // The one of that name among all of a configuration. Throws UsageError likewise; for an unknown name one that begins
    // with `where` ("--teacher") and lists the known ones.
    static HostedProfile named(const Json& profiles, const std::string& name, const std::string& where);
    // One of so many processes' share of it, which together keep to its budget and limits.
    HostedProfile shared_by(int64_t processes) const;
    // The problem with profiles that hold a key themselves, or "": for whatever reads a configuration, so that it is neither
    // printed nor kept.
    static std::string held_key(const Json& profiles);
};

}  // namespace craft
