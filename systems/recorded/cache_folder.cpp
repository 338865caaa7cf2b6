#include "systems/recorded/cache_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "core/database/schema.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kApplication = 0x63726166;  // "craf"

constexpr const char* kTables = R"(
CREATE TABLE requests(
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,  -- of `request`
  request TEXT NOT NULL       -- canonical JSON; samples share it
);
CREATE TABLE answers(
  key TEXT NOT NULL PRIMARY KEY,  -- hash of request, sample and server
  request INTEGER NOT NULL REFERENCES requests(id),
  sample INTEGER NOT NULL,
  text BLOB NOT NULL,             -- bytes: what a model wrote need not be UTF-8
  reasoning BLOB NOT NULL,
  cut INTEGER NOT NULL,           -- 1: at the limit of new tokens
  mean_logprob REAL,
  prompt_tokens INTEGER NOT NULL,
  new_tokens INTEGER NOT NULL,
  cached_tokens INTEGER NOT NULL,
  seconds REAL NOT NULL,
  retries INTEGER NOT NULL,
  usd REAL,                       -- NULL: no price known
  model TEXT NOT NULL,
  asked_at INTEGER NOT NULL,      -- when it was kept, in milliseconds since 1970
  times_asked INTEGER NOT NULL,   -- 1, and one for each unusable answer before it
  digest TEXT NOT NULL,           -- of the answer's bytes and numbers, for SQLite checks none
  server TEXT                     -- what was known of the model that answered, canonical JSON; '': nothing; NULL: old form
);
CREATE INDEX answers_by_request ON answers(request, sample);
CREATE INDEX answers_of_old_form ON answers(request) WHERE server IS NULL;
CREATE TABLE unusable(
  key TEXT NOT NULL,
  failure TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY(key, failure)
) WITHOUT ROWID;
)";

// Schema 1 did not know which server a hosted answer came from: it stays, to be exported, and is not used.
constexpr const char* kUpgrade = R"(
ALTER TABLE answers ADD COLUMN server TEXT;
UPDATE answers SET server = '' WHERE model NOT LIKE 'openai:%';
CREATE INDEX answers_by_request ON answers(request, sample);
CREATE INDEX answers_of_old_form ON answers(request) WHERE server IS NULL;
)";

[[noreturn]] void fail_at(const fs::path& path, const std::string& doing) {
    throw Error(path.string() + ": cannot " + doing + ": " + std::strerror(errno));
}

// Not through a descriptor: closing one would end the locks that this process has on a database that it has open.
void take_rights_away(const fs::path& path, mode_t mode) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) {
        if (errno == ENOENT) return;
        fail_at(path, "read");
    }
    if ((info.st_mode & 07777U) != mode && ::chmod(path.c_str(), mode) != 0) fail_at(path, "remove others' permissions");
}

void make_folder(const fs::path& folder) {
    if (folder.empty()) throw Error("cache of answers", "a folder", "an empty path");
    std::error_code code;
    if (folder.has_parent_path()) fs::create_directories(folder.parent_path(), code);
    if (::mkdir(folder.c_str(), 0700) == 0) return;
    if (errno != EEXIST) fail_at(folder, "create the folder");
    if (!fs::is_directory(folder, code)) throw Error(folder.string(), "a folder", "a file");
    // Empty first: another process may be making the file.
    if (!fs::is_empty(folder, code) && !fs::exists(folder / kAnswersFile, code))
        throw Error(folder.string(), "a cache of answers or an empty folder", "a folder with other things");
    if (code) throw Error(folder.string() + ": cannot read: " + code.message());
}

}  // namespace

fs::path prepare_cache_folder(const fs::path& folder) {
    make_folder(folder);
    take_rights_away(folder, 0700);
    fs::path file = folder / kAnswersFile;
    create_database_file(file, 0600);
    for (const char* suffix : {"", "-wal", "-shm"}) take_rights_away(file.string() + suffix, 0600);
    return file;
}

void prepare_answers(Database& database, std::chrono::milliseconds busy) {
    prepare_schema(database, {kApplication, kAnswersSchema, kTables, "a cache of answers", "another folder", kUpgrade},
                   busy);
}

}  // namespace craft
