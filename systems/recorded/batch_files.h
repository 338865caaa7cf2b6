// The files of a batch's requests: what the Batch API and `vllm run-batch` take, and beside it what each request stands for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/json.h"
#include "systems/recorded/recorded_request.h"

namespace craft {

constexpr size_t kLongestBatchLine = size_t{64} << 20;  // bytes, of requests and answers; a longer one is refused

struct BatchFileOptions {
    std::string url = "/v1/chat/completions";  // of each request; without host
    int64_t max_requests = 50'000;             // of a file, as the Batch API allows
    int64_t max_bytes = 200'000'000;           // of a file, as the Batch API allows
};

// A request that is in a batch file.
struct AwaitedRequest {
    RecordedRequest asked;
    std::string role;  // who asked, for the ledger of what answers cost
    std::string stage;
};

// requests-NNN.jsonl ({"custom_id", "method", "url", "body"}) to be sent, and awaited-NNN.jsonl ({"custom_id", "role",
// "stage", "sample", "request"}) to know its answers by.
struct BatchPart {
    int number = 0;
    std::filesystem::path requests, awaited;
};
// The id of a request in a part: KEY-NNN. A request that is written again has another one, so that a line of answers belongs
// to one part.
std::string batch_id(const std::string& key, int part);
// Those of `folder` by number. A part whose requests file was removed is not waited for. Throws Error where a requests file
// has no awaited file beside it.
std::vector<BatchPart> batch_parts(const std::filesystem::path& folder);
// All other .jsonl files of `folder`, by name: answers.
std::vector<std::filesystem::path> batch_answer_files(const std::filesystem::path& folder);
// Calls `each` for every row of an awaited-NNN.jsonl. Throws Error naming file and line if it is none of ours.
void read_awaited(const BatchPart& part, const std::function<void(AwaitedRequest)>& each);

// Writes the next parts of a folder; a part appears when it is full, or at finish(). Without finish() (an exception) the
// last part does not appear. Throws Error: the disk is full, or one request alone is larger than a file may be. Not
// thread-safe.
class BatchWriter {
public:
    BatchWriter(std::filesystem::path folder, BatchFileOptions options);
    void add(const AwaitedRequest& request, const Json& body);
    // The requests files written, in order.
    std::vector<std::filesystem::path> finish();
    int64_t requests() const { return all_; }

private:
    void open_part();
    void close_part();
    std::filesystem::path folder_;
    BatchFileOptions options_;
    int number_ = 0;
    std::unique_ptr<OutputFile> requests_, awaited_;  // of the part under way
    int64_t in_part_ = 0, bytes_ = 0, all_ = 0;
    std::vector<std::filesystem::path> written_;
};

}  // namespace craft
