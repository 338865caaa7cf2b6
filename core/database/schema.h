// The tables that a program expects in its database file: made where the file is new, refused where they are others.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "core/database/database.h"

namespace craft {

struct DatabaseSchema {
    int64_t application = 0;        // PRAGMA application_id: whose file it is
    int64_t version = 1;            // PRAGMA user_version, from 1
    const char* tables = "";        // the statements that make them
    std::string what = {};          // what the file is: "a cache of answers"
    std::string other_place = {};   // what a user may take in place of the file: "another folder"
    const char* upgrade = nullptr;  // the statements that make them of the version before; null: that one is refused
};

// Brings a connection to our ways (WAL: one writes while others read; synchronous=NORMAL: what was committed outlives the
// process, and a power cut costs at most the last commits, never the file) and makes the tables in an empty file, or of the
// version before, in one transaction, waiting `busy` for others that do so. Throws DatabaseError, and Error if the database
// is another program's or of another version.
void prepare_schema(Database& database, const DatabaseSchema& schema, std::chrono::milliseconds busy);

// Makes an empty file of these rights where there is none. Throws Error with the path and the system's reason.
void create_database_file(const std::filesystem::path& file, unsigned mode);

// Runs `work` between `begin` ("BEGIN IMMEDIATE" to write) and COMMIT; what it throws rolls back.
template <class Work>
void in_transaction(Database& database, const char* begin, Work work) {
    database.run(begin);
    try {
        work();
        database.run("COMMIT");
    } catch (...) {
        try {
            database.run("ROLLBACK");
        } catch (const Error&) {}  // SQLite has done so itself
        throw;
    }
}

}  // namespace craft
