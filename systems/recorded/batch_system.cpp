#include "systems/recorded/batch_system.h"

#include <sys/stat.h>

#include <optional>

#include "core/file_lock.h"
#include "core/files.h"
#include "systems/recorded/recorded_request.h"

namespace craft {

namespace fs = std::filesystem;

// Two runs that wrote the same requests would have them paid for twice.
struct BatchSystem::Lock {
    explicit Lock(const fs::path& folder) {
        std::error_code code;
        if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), code);
        ::mkdir(folder.c_str(), 0700);  // ensure_folder() says what is wrong
        ensure_folder(folder);
        file.emplace(folder / ".lock", 0600);
        if (!file->is_held())
            throw Error(folder.string(), "a batch folder of this run alone", "one that another run has open");
    }
    std::optional<FileLock> file;
};

BatchSystem::BatchSystem(std::shared_ptr<const System> inner, AnswerCache& cache, BatchSystemOptions options)
    : inner_(std::move(inner)),
      options_(std::move(options)),
      lock_(std::make_unique<Lock>(options_.folder)),
      reading_(
          read_batch(options_.folder, cache, {options_.read, inner_->name(), options_.max_retries, options_.on_recorded})),
      writer_(options_.folder, options_.files) {}

BatchSystem::~BatchSystem() = default;

std::vector<Reply> BatchSystem::answer_into(const std::vector<Request>& requests, const SamplingOptions& sampling,
                                            const ReplySink& sink) {
    std::vector<Reply> replies;
    for (const Request& request : requests) replies.push_back(reply_to(request, sampling));
    report_all(replies, sink);
    return replies;
}

Reply BatchSystem::reply_to(const Request& request, const SamplingOptions& sampling) {
    using Next = FileReply::Next;
    RecordedRequest asked = recorded_request(*inner_, request, sampling);
    if (reading_.open.contains(asked.key))
        return Reply::failed(Failure::awaited, "is in a batch file whose answers are missing");
    const auto found = reading_.outcomes.find(asked.key);
    if (found != reading_.outcomes.end() && found->second.next == Next::end_run) throw Error(found->second.ending);
    if (found != reading_.outcomes.end() && found->second.next == Next::end) return found->second.reply;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (found != reading_.outcomes.end()) ending_ = found->second.ending;
    if (written_.insert(asked.key).second)
        writer_.add({std::move(asked), options_.role, sampling.stage}, options_.body(request, sampling, reading_.learnt));
    return Reply::failed(Failure::awaited, "is in a new batch file");
}

std::vector<fs::path> BatchSystem::finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<fs::path> files = writer_.finish();
    if (!ending_.empty())
        throw Error(ending_ + "; once that is fixed, " + files.back().string() + " repeats what has no answer");
    return files;
}

int64_t BatchSystem::written() const {
    const std::lock_guard<std::mutex> lock(mutex_);
    return writer_.requests();
}

}  // namespace craft
