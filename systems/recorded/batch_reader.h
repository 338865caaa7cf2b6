// The answers of batches on their way into the cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <unordered_set>

#include "systems/recorded/answer_cache.h"
#include "systems/recorded/batch_files.h"

namespace craft {

struct BatchCounts {
    int64_t requests = 0;  // different ones, in all parts
    int64_t kept = 0;      // answers that the cache did not have
    int64_t known = 0;     // answers that it had: a file is read at every start
    int64_t twice = 0;     // usable answers to a request that had one in these files; the first one counts
    int64_t unknown = 0;   // lines whose id no part has
    int64_t missing = 0;   // requests of parts with answers that no line and no cache answers: written into the next part
    int64_t open = 0;      // requests of parts without any answer: still awaited
    std::map<std::string, int64_t> unusable =
        {};                // lines without a usable answer, by failure_name(), "expired", "cancelled"
    Json to_json() const;  // for manifests: the fields by their names
};

struct BatchReading {
    BatchCounts counts;
    std::unordered_set<std::string> open;  // keys of requests that are still awaited
};

struct BatchReaderOptions {
    // A chat completion's body as a reply, with its usage and price; failed where it is none.
    std::function<Reply(const Json& body)> parse;
    std::string model;  // whose answers they are
    // Hears of each answer that is new to the cache, for the ledger; may be null.
    std::function<void(const AwaitedRequest& request, const Reply& reply)> on_kept = nullptr;
};

// Reads all answer files of `folder` (batch_answer_files()) and keeps what the cache lacks. A part counts as answered when
// any line has one of its ids: its missing, failed and expired requests are then open no longer, but to be written anew. A
// usable answer counts wherever it stands, before or behind a failure. Lines of unknown ids, ids with two answers and
// missing ones are warned of, a line each kind. Throws Error: a line that is no answer (a file cut short must be got again,
// or its last line removed, before what it answers is paid for twice), and what the cache throws. What was read before that
// is kept.
BatchReading read_batch(const std::filesystem::path& folder, AnswerCache& cache, const BatchReaderOptions& options);

}  // namespace craft
