#include "eval/editeval/prediction_log.h"

#include <fstream>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/text_lines.h"

namespace craft {

PredictionLog::PredictionLog(std::filesystem::path path) : path_(std::move(path)) {
    if (!std::filesystem::exists(path_)) return;
    OutputFile kept(path_.string());
    std::ifstream lines(path_, std::ios::binary);
    size_t number = 0;
    try {
        for (std::string line; std::getline(lines, line) && !lines.eof(); ++number) {
            const std::string where = line_place(path_, number);
            const Json row = parse_json(line, where);
            if (optional_string_field(row, "status", where) == "failed") continue;
            take(row, where);
            kept.write(line + "\n");
        }
    } catch (const Error& error) {
        throw Error(std::string(error.what()) + " (remove the line to have it asked again)");
    }
    kept.close();
}

bool PredictionLog::add(const Json& row) {
    if (!file_) file_.emplace(path_);
    file_->write(dump_line(row) + "\n");
    take(row, path_.string());
    return file_->sync_now_and_then();
}

void PredictionLog::sync() {
    if (file_) file_->sync();
}

void PredictionLog::take(const Json& row, const std::string& where) {
    const std::string id = string_field(row, "id", where), prompt = string_field(row, "prompt", where);
    const std::string status = string_field(row, "status", where);
    if (!all_.add(id, prompt, optional_string_field(row, "prediction", where), where))
        throw Error(
            where, "one row per id and prompt",
            "another one of id '" + shortened(one_line(id), 80) + "' and prompt '" + shortened(one_line(prompt), 80) + "'");
    ++counted_[status == "failed" ? string_field(row, "failure", where) : status];
}

}  // namespace craft
