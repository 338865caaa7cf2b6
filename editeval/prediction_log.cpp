#include "editeval/prediction_log.h"

#include <fstream>

#include "core/error.h"
#include "core/files.h"

namespace craft {

PredictionLog::PredictionLog(std::filesystem::path path) : path_(std::move(path)) {
    if (!std::filesystem::exists(path_)) return;
    OutputFile kept(path_.string());
    std::ifstream lines(path_, std::ios::binary);
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
        const Json row = parse_json(line, path_.string());
        if (optional_string_field(row, "status", path_.string()) == "failed") continue;
        take(row);
        kept.write(line + "\n");
    }
    kept.close();
}

void PredictionLog::add(const Json& row) {
    if (!file_) file_.emplace(path_);
    file_->write(dump_line(row) + "\n");
    take(row);
    const auto now = std::chrono::steady_clock::now();
    if (now - synced_ < std::chrono::milliseconds(300)) return;  // a kill costs what was made since
    sync();
    synced_ = now;
}

void PredictionLog::sync() {
    if (!file_) return;
    file_->flush();
    file_->sync();
}

void PredictionLog::take(const Json& row) {
    const std::string where = path_.string();
    all_.add(string_field(row, "id", where), string_field(row, "prompt", where),
             optional_string_field(row, "prediction", where));
    const std::string status = string_field(row, "status", where);
    ++counted_[status == "failed" ? string_field(row, "failure", where) : status];
}

}  // namespace craft
