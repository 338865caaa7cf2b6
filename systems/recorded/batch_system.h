// A hosted system that is asked by files: a run writes what it would ask, ends, and continues when the answers lie beside
// them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <vector>

#include "systems/recorded/batch_files.h"
#include "systems/recorded/batch_reader.h"
#include "systems/system.h"

namespace craft {

struct BatchSystemOptions {
    std::filesystem::path folder;  // made (0700) where it is missing; one system's alone
    std::string role = "planner";  // who asks, for BatchReaderOptions::on_recorded
    BatchFileOptions files = {};
    // What is sent for a request: the JSON that the inner system would post; `learnt` as BatchReading has it.
    std::function<Json(const Request& request, const SamplingOptions& sampling, bool learnt)> body;
    std::function<FileReply(const BatchAnswer& answer, const RecordedRequest& asked)> read;  // as BatchReaderOptions::read
    int64_t max_retries = 6;                                                                 // likewise
    std::function<void(const AwaitedRequest& request, const Reply& reply)> on_recorded = nullptr;  // may be null
};

// Stands within a RecordedSystem over the same cache, so that it is asked only for what the cache lacks; the inner system
// says what a request depends on and is asked for nothing. Opening it brings the folder's answers into the cache
// (read_batch()); then each request fails as Failure::awaited, and is written into the next requests file, unless it stands
// in one already that has no answers yet. One that no further request would bring an answer to has the failure that its last
// line has (`recorded`: nothing was asked now). Thread-safe.
class BatchSystem : public System {
public:
    // Throws Error as read_batch() does, and if another process has the folder.
    BatchSystem(std::shared_ptr<const System> inner, AnswerCache& cache, BatchSystemOptions options);
    ~BatchSystem() override;
    BatchSystem(const BatchSystem&) = delete;
    BatchSystem& operator=(const BatchSystem&) = delete;

    // Throws Error if a file cannot be written, and for a request of a kind that the server takes none of.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return inner_->name(); }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        return inner_->record(request, sampling);
    }
    // What opening it found.
    const BatchCounts& counts() const { return reading_.counts; }
    // Finishes the files and returns those that are new, to be sent; to be called at the end of the run. Without it the last
    // one does not appear. Throws Error, also where the answers say that no request is let in (a wrong key, a spent quota):
    // after the files, which are to be sent when that is mended.
    std::vector<std::filesystem::path> finish();
    // Requests in the new files.
    int64_t written() const;

private:
    struct Lock;
    Reply reply_to(const Request& request, const SamplingOptions& sampling);
    std::shared_ptr<const System> inner_;
    BatchSystemOptions options_;
    std::unique_ptr<Lock> lock_;
    BatchReading reading_;
    mutable std::mutex mutex_;  // of what follows
    std::unordered_set<std::string> written_;
    std::string ending_;  // why no request of the answered parts was let in; empty: nothing of the kind
    BatchWriter writer_;
};

}  // namespace craft
