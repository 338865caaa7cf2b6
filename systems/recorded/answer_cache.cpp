#include "systems/recorded/answer_cache.h"

#include "core/file_hash.h"
#include "systems/recorded/answer_row.h"
#include "systems/recorded/cache_folder.h"
#include "systems/recorded/canonical_json.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::string select_answers(const char* which) {
    return std::string("SELECT ") + kAnswerColumns + " FROM answers JOIN requests ON requests.id = answers.request " + which;
}

int64_t milliseconds_now() {
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

[[noreturn]] void damaged_answer(const fs::path& file, const std::string& key) {
    throw Error(file.string() + ": answer " + key, "the bytes that were kept", "others: the file is damaged",
                "export the cache, which leaves damaged answers out, and move it away");
}

// The last answers first.
constexpr const char* kToRequest =
    "WHERE requests.hash = ?1 AND answers.sample = ?2 AND server IS NOT NULL ORDER BY answers.rowid DESC";

[[noreturn]] void other_request(const fs::path& file, const std::string& key) {
    throw Error(file.string() + ": answer " + key, "one to the request that is asked", "one to another request",
                "the file is damaged, or two requests have the same hash");
}

Found find_reply(Statement& answers, const RecordedRequest& asked, const std::string& server, const fs::path& file) {
    Found found;
    const ResetAtEnd reset(answers);
    const std::string hash = hash128_text(asked.request);
    answers.bind_text(1, hash).bind(2, static_cast<int64_t>(asked.sample));
    while (answers.step()) {
        std::optional<StoredAnswer> stored = read_answer(answers);
        if (!stored) damaged_answer(file, answers.bytes(0));
        if (!(stored->asked == asked)) other_request(file, asked.key);
        const SameServer same = same_server(stored->server, server);
        if (same == SameServer::yes) return {.reply = std::move(stored->reply)};
        if (same == SameServer::unnamed) found.has_unnamed = true;
        if (same != SameServer::unconfirmed || found.reply) continue;
        found.reply = std::move(stored->reply);
        found.is_unconfirmed = true;
    }
    if (found.reply) found.has_unnamed = false;
    return found;
}

}  // namespace

struct AnswerCache::Reading {
    Reading(const fs::path& file, std::chrono::milliseconds busy)
        : database(file, busy),
          answer(database.prepare(select_answers(kToRequest).c_str())),
          unusable(database.prepare("SELECT sum(times) FROM unusable WHERE key = ?1")) {}
    Database database;
    Statement answer, unusable;
};

// A base of its own, since statements can be prepared only when the tables are there.
struct PreparedAnswers {
    PreparedAnswers(const fs::path& file, std::chrono::milliseconds busy) : database(file, busy) {
        prepare_answers(database, busy);
    }
    Database database;
};

struct AnswerCache::Writing : PreparedAnswers {
    using PreparedAnswers::PreparedAnswers;
    void begin() { database.run("BEGIN IMMEDIATE"); }
    void commit() { database.run("COMMIT"); }
    void rollback() {
        try {
            database.run("ROLLBACK");
        } catch (const Error&) {}  // a full disk's failure has ended the transaction already
    }
    Statement find_request = database.prepare("SELECT id, request FROM requests WHERE hash = ?1");
    Statement add_request = database.prepare("INSERT INTO requests(hash, request) VALUES(?1, ?2) RETURNING id");
    Statement add_answer = database.prepare(
        "INSERT INTO answers(key, request, sample, text, reasoning, cut, mean_logprob, prompt_tokens, new_tokens, "
        "cached_tokens, "
        "seconds, retries, usd, model, digest, asked_at, server, times_asked) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, "
        "?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, 1 + (SELECT coalesce(sum(times), 0) FROM unusable WHERE key = ?18)) "
        "ON CONFLICT(key) DO NOTHING");
    Statement answer = database.prepare(select_answers(kToRequest).c_str());
    Statement add_unusable = database.prepare(
        "INSERT INTO unusable(key, failure, times) VALUES(?1, ?2, 1) ON CONFLICT DO UPDATE SET times = times + 1");
    Statement raise_unusable = database.prepare(
        "INSERT INTO unusable(key, failure, times) VALUES(?1, ?2, ?3) ON CONFLICT DO UPDATE SET times = max(times, ?3)");
};

AnswerCache::AnswerCache(const fs::path& folder, AnswerCacheOptions options)
    : options_(options),
      file_(prepare_cache_folder(folder)),
      writing_(std::make_shared<Writing>(file_, options.busy)),
      reading_(std::make_shared<Reading>(file_, options.busy)),
      commits_({[this] { writing_->begin(); }, [this] { writing_->commit(); }, [this] { writing_->rollback(); }}) {}

std::string server_text(const Json& serving) {
    return serving.is_null() || serving.empty() ? "" : canonical_json(serving);
}

SameServer same_server(const std::string& kept, const std::string& now) {
    if (kept == now || kept.empty() || now.empty()) return SameServer::yes;
    const Json said = parse_json(kept, "a server"), says = parse_json(now, "a server");
    SameServer same = SameServer::yes;
    for (const auto& [place, then] : said.items()) {
        if (!says.contains(place) || canonical_json(says[place]) == canonical_json(then)) continue;
        if (!then.is_null() && !says[place].is_null()) return SameServer::no;
        if (same != SameServer::unnamed) same = then.is_null() ? SameServer::unnamed : SameServer::unconfirmed;
    }
    return same;
}

std::vector<Found> AnswerCache::look_up(const std::vector<RecordedRequest>& asked, const std::string& server) {
    const std::lock_guard<std::mutex> lock(reading_mutex_);
    std::vector<Found> found(asked.size());
    for (size_t i = 0; i < asked.size(); ++i) {
        const ResetAtEnd unusable(reading_->unusable);
        found[i] = find_reply(reading_->answer, asked[i], server, file_);
        if (!found[i].reply && reading_->unusable.bind_text(1, asked[i].key).step())
            found[i].unusable = reading_->unusable.integer(0);
    }
    return found;
}

int64_t AnswerCache::request_id(const std::string& request) {
    const std::string hash = hash128_text(request);
    const ResetAtEnd find(writing_->find_request), add(writing_->add_request);
    if (writing_->find_request.bind_text(1, hash).step()) {
        if (writing_->find_request.bytes(1) != request)
            throw Error(file_.string() + ": request " + hash, "the request that is asked", "another one",
                        "the file is damaged, or two requests have the same hash");
        return writing_->find_request.integer(0);
    }
    writing_->add_request.bind_text(1, hash).bind_text(2, request).step();
    return writing_->add_request.integer(0);
}

RecordedReply AnswerCache::store(const NewAnswer& answer) {
    Found found = find_reply(writing_->answer, answer.asked, answer.server, file_);
    if (found.reply && !found.is_unconfirmed) return {*std::move(found.reply), false};
    const std::string digest = digest_of(answer), key = row_key(answer.asked.key, answer.server);
    const int64_t request = request_id(answer.asked.request);
    const ResetAtEnd add(writing_->add_answer);
    writing_->add_answer.bind_text(1, key).bind(2, request).bind(16, milliseconds_now()).bind_text(18, answer.asked.key);
    bind_answer(writing_->add_answer, answer, digest);
    writing_->add_answer.step();
    if (writing_->database.changes() == 0) other_request(file_, key);
    return {answer.reply, true};
}

void AnswerCache::count_unusable(const NewAnswer& answer) {
    const ResetAtEnd add(writing_->add_unusable);
    writing_->add_unusable.bind_text(1, answer.asked.key).bind_text(2, failure_name(answer.reply.failure)).step();
}

std::vector<RecordedReply> AnswerCache::keep(const std::vector<NewAnswer>& answers) {
    std::vector<RecordedReply> kept(answers.size());
    std::exception_ptr mismatch;  // concerns this caller, not the transaction
    commits_.run([&] {
        for (size_t i = 0; i < answers.size(); ++i) {
            kept[i].reply = answers[i].reply;
            try {
                if (answers[i].reply.status != Reply::Status::failed)
                    kept[i] = store(answers[i]);
                else
                    count_unusable(answers[i]);
            } catch (const DatabaseError&) {
                throw;
            } catch (const Error&) {
                mismatch = std::current_exception();
            }
        }
    });
    if (mismatch) std::rethrow_exception(mismatch);
    return kept;
}

void AnswerCache::note_unusable(const std::vector<UnusableAnswers>& unusable) {
    if (unusable.empty()) return;
    commits_.run([&] {
        for (const UnusableAnswers& one : unusable) {
            const ResetAtEnd raise(writing_->raise_unusable);
            writing_->raise_unusable.bind_text(1, one.key).bind_text(2, one.failure).bind(3, one.times).step();
        }
    });
}

void AnswerCache::for_each(const std::function<bool(const StoredAnswer&)>& each,
                           const std::function<void(const std::string&)>& damaged) const {
    Database database(file_, options_.busy);  // of its own, so that nobody waits for a long reading
    Statement rows = database.prepare(select_answers("ORDER BY answers.rowid").c_str());
    while (rows.step()) {
        if (const auto answer = read_answer(rows)) {
            if (!each(*answer)) return;
        } else {
            damaged(rows.bytes(0));
        }
    }
}

CacheCounts AnswerCache::counts() const {
    Database database(file_, options_.busy);
    return {database.number("SELECT count(*) FROM answers"), database.number("SELECT count(*) FROM requests"),
            database.number("SELECT count(*) FROM answers WHERE times_asked > 1"),
            database.number("SELECT coalesce(sum(times), 0) FROM unusable"),
            database.number("SELECT count(*) FROM answers WHERE server IS NULL")};
}

}  // namespace craft
