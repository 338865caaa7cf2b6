// Web search by a SearXNG server, as a system: a question in, what was found as a text out. So answers are kept and counted
// as those of hosted models are (systems/recorded/).
#pragma once

#include <string>

#include "gec/retrieval/search_results.h"
#include "systems/system.h"

namespace craft {

struct WebSearchOptions {
    std::string url = {};            // the server's ("http://localhost:8888"); empty: there is no web search
    double timeout = 10;             // seconds of a search, connecting included
    int64_t query_characters = 300;  // longer queries are cut
    WebResultLimits limits = {};
};

// GET URL/search?q=...&format=json, once a query, which is the last message of a request. Redirects are not followed. A
// server that does not answer, answers with a status other than 200 or with something else than results is a failed reply,
// which says so; one that finds nothing is none. Sampling options mean nothing to it.
class SearxngSystem : public System {
public:
    // Throws UsageError on a URL that is none, has a fragment, or names a user.
    explicit SearxngSystem(WebSearchOptions options);
    // Thread-safe.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return "searxng"; }
    Json record(const Request& request, const SamplingOptions& sampling) const override;

private:
    std::string query_of(const Request& request) const;
    WebSearchOptions options_;
};

}  // namespace craft
