// Answers that were computed or paid for, in SQLite: the same request asked again gets the same bytes and costs nothing.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/database/database.h"
#include "systems/recorded/group_commit.h"
#include "systems/recorded/recorded_request.h"

namespace craft {

struct AnswerCacheOptions {
    std::chrono::milliseconds busy{10'000};  // how long one that another process has locked is waited for
};

// What is known of the model behind an answer (System::serving()), as canonical JSON; "" where nobody was asked (a local
// model, a batch file): it speaks against nothing.
std::string server_text(const Json& serving);
// Whose answer one is that was kept beside `kept`, where `now` is said: places that only one of them names do not count.
enum class SameServer {
    yes,          // all places say the same, which may be nothing
    unconfirmed,  // a place that said what it serves says nothing now: it may not be there, and may have another model
    unnamed,      // a place that says what it serves said nothing then: any model may have written it
    no            // a place says something else
};
SameServer same_server(const std::string& kept, const std::string& now);

struct StoredAnswer {
    std::string key;  // of its row
    RecordedRequest asked;
    Reply reply;                  // finished or cut; `recorded`
    std::string model;            // whose answer it is
    std::string server;           // server_text()
    bool is_of_old_form = false;  // a hosted one from before servers were known: never found, for its server may be any
    int64_t asked_at = 0;         // when it was kept, in milliseconds since 1970
    int64_t times_asked = 1;      // with the unusable answers before it
};

struct Found {
    std::optional<Reply> reply;   // with `recorded`
    bool is_unconfirmed = false;  // SameServer::unconfirmed: the last one that was kept, whatever model it names
    bool has_unnamed = false;     // there is none but SameServer::unnamed, which is not taken
    int64_t unusable = 0;         // unusable answers so far, where there is none
};

struct NewAnswer {
    RecordedRequest asked;
    Reply reply;
    std::string model;
    std::string server = {};  // server_text()
};

struct RecordedReply {
    Reply reply;        // what is stored under its key now; of a failed one itself
    bool first = true;  // false: another process or thread had kept one, which `reply` is
};

// An unusable answer that somebody else got (a batch).
struct UnusableAnswers {
    std::string key;
    std::string failure;  // a name to count by
    int64_t times = 1;
};

struct CacheCounts {
    int64_t answers = 0, requests = 0;  // samples share requests
    int64_t asked_again = 0;  // answers after an unusable one: a sample that was drawn again shifts the distribution
    int64_t unusable = 0;     // unusable answers in all
    int64_t of_old_form = 0;  // answers that do not say which server gave them, and are not used
};

// Requests and texts are stored as they are, not compressed: any SQLite tool can read them, and samples of a prompt share
// one copy of it. Several processes may use one folder. Thread-safe. Every function throws Error of one line: the database
// is locked, damaged, full, or of a newer schema; it is never overwritten.
class AnswerCache {
public:
    // Creates the folder where it is missing (systems/recorded/cache_folder.h).
    explicit AnswerCache(const std::filesystem::path& folder, AnswerCacheOptions options = {});

    // One result a request, in order: the last answer that was kept to it of the same server; else an unconfirmed one. Also
    // throws if what is stored under a request's hash is another request: a damaged file, or a hash that two requests share.
    std::vector<Found> look_up(const std::vector<RecordedRequest>& asked, const std::string& server = "");
    // Keeps finished and cut answers; of a failed one only that it was asked for. Returns when they are committed: a process
    // that is killed loses none that it was told of. What other threads keep meanwhile is committed together. Where
    // look_up() finds an answer already, that one stays and is returned. Also throws as look_up() does.
    std::vector<RecordedReply> keep(const std::vector<NewAnswer>& answers);
    // Raises the count of unusable answers to these, so that a batch's file that is read again counts once.
    void note_unusable(const std::vector<UnusableAnswers>& unusable);
    // All answers in the order in which they were kept, those of the old form too; ends early when `each` returns false. A
    // damaged one is told of as a key alone (`damaged`).
    void for_each(const std::function<bool(const StoredAnswer& answer)>& each,
                  const std::function<void(const std::string& key)>& damaged) const;
    CacheCounts counts() const;
    const std::filesystem::path& file() const { return file_; }

private:
    struct Writing;
    struct Reading;
    RecordedReply store(const NewAnswer& answer);
    void count_unusable(const NewAnswer& answer);
    int64_t request_id(const std::string& request);

    AnswerCacheOptions options_;
    std::filesystem::path file_;
    std::shared_ptr<Writing> writing_;  // used by one transaction at a time
    std::shared_ptr<Reading> reading_;
    std::mutex reading_mutex_;
    GroupCommit commits_;
};

}  // namespace craft
