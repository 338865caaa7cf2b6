// A hosted system that is asked by files: a run writes what it would ask, ends, and goes on when the answers lie beside
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
    std::string role = "planner";  // who asks, for BatchReaderOptions::on_kept
    BatchFileOptions files = {};
    // What is sent for a request: the JSON that the inner system would post.
    std::function<Json(const Request& request, const SamplingOptions& sampling)> body;
    std::function<Reply(const Json& body)> parse;  // as BatchReaderOptions::parse
    std::function<void(const AwaitedRequest& request, const Reply& reply)> on_kept = nullptr;  // may be null
};

// Stands within a RecordedSystem over the same cache, so that it is asked only for what the cache lacks; the inner system
// says what a request depends on and is asked for nothing. Opening it brings the folder's answers into the cache
// (read_batch()); then each request fails as Failure::awaited, and is written into the next requests file, unless it stands
// in one already that has no answers yet. Thread-safe.
class BatchSystem : public System {
public:
    // Throws Error as read_batch() does, and if another process has the folder.
    BatchSystem(std::shared_ptr<const System> inner, AnswerCache& cache, BatchSystemOptions options);
    ~BatchSystem() override;
    BatchSystem(const BatchSystem&) = delete;
    BatchSystem& operator=(const BatchSystem&) = delete;

    // Throws Error if a file cannot be written.
    std::vector<Reply> answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                   const ReplySink& sink) override;
    std::string name() const override { return inner_->name(); }
    Json record(const Request& request, const SamplingOptions& sampling) const override {
        return inner_->record(request, sampling);
    }
    // What opening it found.
    const BatchCounts& counts() const { return reading_.counts; }
    // Finishes the files and returns those that are new, to be sent; to be called at the end of the run. Without it the last
    // one does not appear. Throws Error.
    std::vector<std::filesystem::path> finish();
    // Requests in the new files.
    int64_t written() const;

private:
    struct Lock;
    std::shared_ptr<const System> inner_;
    BatchSystemOptions options_;
    std::unique_ptr<Lock> lock_;
    BatchReading reading_;
    mutable std::mutex mutex_;  // of what follows
    std::unordered_set<std::string> written_;
    BatchWriter writer_;
};

}  // namespace craft
