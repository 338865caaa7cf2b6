#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/input_streams.h"
#include "core/json.h"
#include "core/log.h"
#include "core/rows.h"
#include "core/signals.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr size_t kBlock = size_t{1} << 16;
constexpr int64_t kBadLinesShown = 20;  // further ones are only counted

}  // namespace

JsonLinesReader::JsonLinesReader(const std::string& path, const JsonLinesOptions& options)
    : name_(path == "-" ? "stdin" : path), options_(options) {
    fd_ = path == "-" ? open_stdin() : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat info {};
    if (fd_ < 0 || ::fstat(fd_, &info) != 0) throw Error(name_ + ": cannot read: " + std::strerror(errno));
    if (S_ISDIR(info.st_mode)) {
        if (fd_ != STDIN_FILENO) ::close(fd_);
        throw Error(name_, "a JSON Lines file", "a folder");
    }
}

JsonLinesReader::~JsonLinesReader() {
    if (fd_ > STDIN_FILENO) ::close(fd_);
}

bool JsonLinesReader::fill() {
    buffer_.resize(kBlock);
    at_ = 0;
    while (true) {
        // A read that waits would be restarted after a signal; poll() is not, so that a waiting program can be stopped.
        pollfd waiting{fd_, POLLIN, 0};
        ssize_t count = ::poll(&waiting, 1, -1) < 0 ? -1 : ::read(fd_, buffer_.data(), buffer_.size());
        if (count < 0 && errno == EINTR) {
            throw_if_stopped();
            continue;
        }
        if (count < 0) throw Error(name_ + ": cannot read: " + std::strerror(errno));
        buffer_.resize(static_cast<size_t>(count));
        return count > 0;
    }
}

bool JsonLinesReader::read_line(std::string& line) {
    line.clear();
    overlong_ = false;
    bool any = false;
    while (at_ < buffer_.size() || fill()) {
        any = true;
        const size_t newline = buffer_.find('\n', at_);
        const size_t end = newline == std::string::npos ? buffer_.size() : newline;
        if (line.size() + (end - at_) > options_.max_line_bytes) overlong_ = true;
        if (!overlong_) line.append(buffer_, at_, end - at_);
        at_ = end + (newline == std::string::npos ? 0 : 1);
        if (newline != std::string::npos) break;
    }
    return any;
}

std::optional<Json> JsonLinesReader::next() {
    std::string line;
    while (read_line(line)) {
        throw_if_stopped();
        ++line_;
        if (line_ == 1 && line.rfind("\x89HDF", 0) == 0)
            throw Error(name_, "JSON Lines", "an HDF5 file", "`craft-train trajectories export` writes those of a store");
        if (line_ == 1 && line.rfind("\xEF\xBB\xBF", 0) == 0) line.erase(0, 3);
        if (!overlong_ && line.find_first_not_of(" \t\r") == std::string::npos) continue;
        if (auto row = parse_line(line)) return row;
    }
    if (bad_ > 0) log_warning("bad lines skipped", {{"file", name_}, {"lines", bad_}});
    return std::nullopt;
}

std::optional<Json> JsonLinesReader::parse_line(const std::string& line) {
    std::string problem;
    if (overlong_) {
        problem = where() + ": a line of more than " + std::to_string(options_.max_line_bytes) +
                  " bytes (split it into several rows)";
    } else {
        try {
            Json row = without_nulls(parse_json(line, where()));
            if (row.is_object()) {
                if (options_.number_rows && !row.contains("id")) row["id"] = std::to_string(line_);
                return row;
            }
            problem = where() + ": expected an object, got " + row.type_name();
        } catch (const Error& error) {
            problem = error.what();
        }
    }
    bad_line(problem);
    return std::nullopt;
}

std::string JsonLinesReader::where() const {
    return name_ + ":" + std::to_string(line_);
}

void JsonLinesReader::reject(const std::string& reason) {
    const std::string place = where() + ": ";
    bad_line(reason.starts_with(place) ? reason : place + reason);
}

void JsonLinesReader::bad_line(const std::string& problem) {
    count_bad_line(options_, bad_, problem);
}

void count_bad_line(const JsonLinesOptions& options, int64_t& bad_lines, const std::string& problem) {
    if (!options.skip_bad) throw Error(problem);
    ++bad_lines;
    if (options.bad_lines != nullptr) ++*options.bad_lines;
    if (bad_lines <= kBadLinesShown) log_warning("skipped " + problem);
}

namespace {

// Many readers end a line at these characters too; in JSON they stand in strings alone, where they can be escaped.
std::string without_line_ends(const std::string& json) {
    static const std::array<std::pair<std::string_view, const char*>, 3> ends = {
        {{"\xC2\x85", "\\u0085"}, {"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"}}};
    std::string out;
    for (size_t at = 0; at < json.size();) {
        const auto found = std::find_if(ends.begin(), ends.end(),
                                        [&](const auto& end) { return json.compare(at, end.first.size(), end.first) == 0; });
        if (found == ends.end()) {
            out += json[at++];
        } else {
            out += found->second;
            at += found->first.size();
        }
    }
    return out;
}

}  // namespace

void JsonLinesWriter::write(const Json& row) {
    std::string line = dump_line(row);
    if (line.find_first_of("\xC2\xE2") != std::string::npos) line = without_line_ends(line);
    file_.write(line + "\n");
}

}  // namespace craft
