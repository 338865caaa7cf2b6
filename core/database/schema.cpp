#include "core/database/schema.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace craft {

namespace {

// Runs statements in a file of version `from`; another process may have been first.
void bring_from(int64_t from, const char* statements, Database& database, const DatabaseSchema& schema) {
    in_transaction(database, "BEGIN IMMEDIATE", [&] {
        if (database.number("PRAGMA user_version") != from) return;
        database.run(statements);
        database.run(("PRAGMA application_id=" + std::to_string(schema.application)).c_str());
        database.run(("PRAGMA user_version=" + std::to_string(schema.version)).c_str());
    });
}

// The version of the file; 0: it is empty. Throws Error if it is not this schema's, or of a version that none is made of.
int64_t checked_version(Database& database, const DatabaseSchema& schema) {
    const std::string where = database.path().string();
    int64_t version = 0, application = 0, tables = 0;
    in_transaction(database, "BEGIN", [&] {  // or another process could make the tables between two of these
        version = database.number("PRAGMA user_version");
        application = database.number("PRAGMA application_id");
        tables = database.number("SELECT count(*) FROM sqlite_master");
    });
    if (version == 0 && application == 0 && tables == 0) return 0;
    if (application != schema.application) throw Error(where, schema.what, "another program's database");
    const bool is_before = schema.upgrade != nullptr && version == schema.version - 1;
    if (version != schema.version && !is_before)
        throw Error(where, "schema " + std::to_string(schema.version), std::to_string(version),
                    std::string(version > schema.version ? "a newer" : "an older") +
                        " craft-train wrote it: use that one, or " + schema.other_place);
    return version;
}

void prepare_once(Database& database, const DatabaseSchema& schema) {
    const int64_t version = checked_version(database, schema);
    Statement journal = database.prepare("PRAGMA journal_mode=WAL");
    journal.step();
    if (const std::string mode = journal.bytes(0); mode != "wal")
        throw Error(database.path().string(), "a file system on which SQLite can keep a write-ahead log",
                    "one with the journal '" + mode + "'", "put " + schema.what + " on a local disk");
    journal.reset();
    database.run("PRAGMA synchronous=NORMAL");
    if (version != schema.version) bring_from(version, version == 0 ? schema.tables : schema.upgrade, database, schema);
}

}  // namespace

void prepare_schema(Database& database, const DatabaseSchema& schema, std::chrono::milliseconds busy) {
    // SQLite does not wait for another process that changes to WAL or closes the file last.
    const auto end = std::chrono::steady_clock::now() + busy;
    while (true) {
        try {
            prepare_once(database, schema);
            return;
        } catch (const DatabaseError& error) {
            if (!error.is_busy() || std::chrono::steady_clock::now() >= end) throw;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

void create_database_file(const std::filesystem::path& file, unsigned mode) {
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, static_cast<mode_t>(mode));
    if (fd < 0 && errno != EEXIST) throw Error(file.string() + ": cannot create: " + std::strerror(errno));
    if (fd >= 0) ::close(fd);
}

}  // namespace craft
