// The answers of batches on their way into the cache.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "systems/file_reply.h"
#include "systems/recorded/answer_cache.h"
#include "systems/recorded/batch_answer.h"
#include "systems/recorded/batch_files.h"

namespace craft {

struct BatchCounts {
    int64_t requests = 0;  // different ones, in all parts
    int64_t kept = 0;      // answers that the cache did not have
    int64_t known = 0;     // answers that it had: a file is read at every start
    int64_t twice = 0;     // usable answers to a request that had one in these files; the first one counts
    int64_t unknown = 0;   // lines whose id no part has
    int64_t missing = 0;   // requests of parts with answers that no line and no cache answers: written into the next part
    int64_t ended = 0;     // requests that have no answer, and will have none: no further request would bring one
    int64_t open = 0;      // requests of parts without any answer: still awaited
    std::map<std::string, int64_t> unusable =
        {};                // lines without a usable answer, by failure_name(), "expired", "cancelled"
    Json to_json() const;  // for manifests: the fields by their names
};

struct BatchReading {
    BatchCounts counts;
    std::unordered_set<std::string> open;  // keys of requests that are still awaited
    // By key, of requests without an answer that is kept, when they are not merely to be rewritten: what becomes of them.
    std::unordered_map<std::string, FileReply> outcomes;
    bool learnt = false;  // the server has refused max_tokens: requests that are written from now on have the other name
};

struct BatchReaderOptions {
    // What came for a request, with its usage and price, and what becomes of the item.
    std::function<FileReply(const BatchAnswer& answer, const RecordedRequest& asked)> read;
    std::string model;        // whose answers they are
    int64_t max_retries = 6;  // requests after an item's first one that failed for the server's reasons, or was not asked
    // Hears of each answer that is new to the cache, for the ledger; may be null.
    std::function<void(const AwaitedRequest& request, const Reply& reply)> on_recorded = nullptr;
};

// Reads all answer files of `folder` (batch_answer_files()) and keeps what the cache lacks. A part counts as answered when
// any line has one of its ids: its missing, failed and expired requests are then open no longer, but to be rewritten, or
// ended as those that are asked at once are (FileReply). A usable answer counts wherever it occurs, before or after a
// failure. Warned of are failures by their kind, with the first one's reason; lines of unknown ids, ids with two answers,
// missing ones; and how often what is asked again was asked. Throws Error: a line that is no answer (a file cut short must
// be got again, or its last line removed, before what it answers is paid for twice), and what the cache throws. What was
// read before that is kept.
BatchReading read_batch(const std::filesystem::path& folder, AnswerCache& cache, const BatchReaderOptions& options);

}  // namespace craft
