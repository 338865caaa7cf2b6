// SQLite within our errors: a connection, and statements that are prepared once.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace craft {

// One line that names the file: locked by another process, full, damaged, or the library's own words.
class DatabaseError : public Error {
public:
    DatabaseError(const Error& line, bool busy) : Error(line.what()), busy_(busy) {}
    bool is_busy() const { return busy_; }  // another process has it: later it may go

private:
    bool busy_;
};

// Neither class is thread-safe; every function throws DatabaseError. A statement must not outlive its connection.
class Statement {
public:
    Statement(sqlite3* connection, const std::filesystem::path& path, std::chrono::milliseconds busy, const char* sql);
    ~Statement();
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;

    // Parameters are numbered from 1. Texts and blobs are read when step() is called: they must live until then.
    Statement& bind(int number, int64_t value);
    Statement& bind(int number, double value);
    Statement& bind(int number, const std::optional<double>& value);
    Statement& bind_text(int number, std::string_view text);
    Statement& bind_blob(int number, std::string_view bytes);
    // Whether there is a (further) row.
    bool step();
    // To be called before it is bound again; ends the reading that step() began. Does not throw.
    void reset();
    // Columns are numbered from 0.
    int64_t integer(int column) const;
    double real(int column) const;
    std::optional<double> optional_real(int column) const;
    std::string bytes(int column) const;

private:
    void check(int code) const;
    const std::filesystem::path* path_;
    std::chrono::milliseconds busy_;
    sqlite3* connection_;
    sqlite3_stmt* statement_ = nullptr;
};

// Resets a statement when a block is left, by an exception too: else it would hold its snapshot of the database open.
class ResetAtEnd {
public:
    explicit ResetAtEnd(Statement& statement) : statement_(statement) {}
    ~ResetAtEnd() { statement_.reset(); }
    ResetAtEnd(const ResetAtEnd&) = delete;
    ResetAtEnd& operator=(const ResetAtEnd&) = delete;

private:
    Statement& statement_;
};

class Database {
public:
    // The file must exist. `busy` is how long a statement waits for other processes.
    Database(std::filesystem::path path, std::chrono::milliseconds busy);
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;
    // Runs statements that give no rows, or whose rows are of no interest.
    void run(const char* sql);
    Statement prepare(const char* sql) { return {connection_.get(), path_, busy_, sql}; }
    // The first column of the first row.
    int64_t number(const char* sql);
    // Rows that the last statement has inserted, changed or removed.
    int64_t changes() const;
    const std::filesystem::path& path() const { return path_; }

private:
    struct Close {
        void operator()(sqlite3* connection) const;
    };
    std::filesystem::path path_;
    std::chrono::milliseconds busy_;
    std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace craft
