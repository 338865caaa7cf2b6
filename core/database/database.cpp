#include "core/database/database.h"

#include <sqlite3.h>

#include <cstring>
#include <utility>

namespace craft {

namespace {

std::string in_seconds(std::chrono::milliseconds time) {
    std::string text = std::to_string(std::chrono::duration<double>(time).count());
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

// What the operating system said of the database's file or of its log; 0: nothing. SQLite's own sqlite3_system_errno() does
// not know of the log.
int system_error(sqlite3* connection) {
    if (const int known = sqlite3_system_errno(connection); known != 0) return known;
    for (const int which : {SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER}) {
        sqlite3_file* file = nullptr;
        int number = 0;
        if (sqlite3_file_control(connection, "main", which, static_cast<void*>(&file)) == SQLITE_OK && file != nullptr &&
            file->pMethods != nullptr && file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK &&
            number != 0)
            return number;
    }
    return 0;
}

std::string reason_of(sqlite3* connection, int code) {
    if (connection == nullptr) return sqlite3_errstr(code);
    if ((code & 0xff) == SQLITE_FULL) return "No space left on device";
    const int number = system_error(connection);
    return number != 0 ? std::strerror(number) : sqlite3_errmsg(connection);
}

[[noreturn]] void fail(sqlite3* connection, const std::filesystem::path& path, std::chrono::milliseconds busy, int code) {
    const std::string where = path.string();
    switch (code & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL:
            throw DatabaseError(
                Error(where, "an unlocked database", "one that another process has locked for " + in_seconds(busy) + " s",
                      "stop that process, or wait for it; nothing that was recorded is lost"),
                true);
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            throw DatabaseError(
                Error(where, "an intact database", "a damaged file", "move it away, or restore a copy; it was not changed"),
                false);
        case SQLITE_FULL:
        case SQLITE_READONLY:
            throw DatabaseError(Error(where + ": cannot write: " + reason_of(connection, code)), false);
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
            throw DatabaseError(Error(where + ": cannot open: " + reason_of(connection, code)), false);
        case SQLITE_IOERR:
            throw DatabaseError(Error(where + ": cannot read or write: " + reason_of(connection, code)), false);
        default:
            throw DatabaseError(Error(where + ": " + reason_of(connection, code)), false);
    }
}

}  // namespace

Statement::Statement(sqlite3* connection, const std::filesystem::path& path, std::chrono::milliseconds busy, const char* sql)
    : path_(&path), busy_(busy), connection_(connection) {
    check(sqlite3_prepare_v3(connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr));
}

Statement::Statement(Statement&& other) noexcept
    : path_(other.path_),
      busy_(other.busy_),
      connection_(other.connection_),
      statement_(std::exchange(other.statement_, nullptr)) {}

Statement::~Statement() {
    sqlite3_finalize(statement_);
}

void Statement::check(int code) const {
    if (code != SQLITE_OK) fail(connection_, *path_, busy_, code);
}

Statement& Statement::bind(int number, int64_t value) {
    check(sqlite3_bind_int64(statement_, number, value));
    return *this;
}

Statement& Statement::bind(int number, double value) {
    check(sqlite3_bind_double(statement_, number, value));
    return *this;
}

Statement& Statement::bind(int number, const std::optional<double>& value) {
    if (value) return bind(number, *value);
    check(sqlite3_bind_null(statement_, number));
    return *this;
}

Statement& Statement::bind_text(int number, std::string_view text) {
    check(sqlite3_bind_text64(statement_, number, text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
    return *this;
}

Statement& Statement::bind_blob(int number, std::string_view bytes) {
    // An empty view may have no address, which SQLite would take for NULL.
    check(sqlite3_bind_blob64(statement_, number, bytes.empty() ? "" : bytes.data(), bytes.size(), SQLITE_STATIC));
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) fail(connection_, *path_, busy_, code);
    return false;
}

void Statement::reset() {
    sqlite3_reset(statement_);  // gives step()'s failure once more, which has been thrown
    sqlite3_clear_bindings(statement_);
}

int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_, column);
}

std::optional<double> Statement::optional_real(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
    return real(column);
}

std::string Statement::bytes(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const int size = sqlite3_column_bytes(statement_, column);
    return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), static_cast<size_t>(size));
}

void Database::Close::operator()(sqlite3* connection) const {
    sqlite3_close_v2(connection);
}

Database::Database(std::filesystem::path path, std::chrono::milliseconds busy) : path_(std::move(path)), busy_(busy) {
    sqlite3* connection = nullptr;
    const int code = sqlite3_open_v2(path_.c_str(), &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    connection_.reset(connection);
    if (code != SQLITE_OK) fail(connection, path_, busy_, code);
    sqlite3_extended_result_codes(connection, 1);
    sqlite3_busy_timeout(connection, static_cast<int>(busy.count()));
}

void Database::run(const char* sql) {
    const int code = sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(connection_.get(), path_, busy_, code);
}

int64_t Database::number(const char* sql) {
    Statement statement = prepare(sql);
    return statement.step() ? statement.integer(0) : 0;
}

int64_t Database::changes() const {
    return sqlite3_changes64(connection_.get());
}

}  // namespace craft
