// The answers that a run has had so far, a line each as they come, so that a stopped run can resume.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/append_file.h"
#include "eval/editeval/predictions.h"

namespace craft {

// A file of rows as prediction_row() makes them (eval/editeval/asking.h).
class PredictionLog {
public:
    // Takes over what an earlier process left, but for answers that failed and a last line that was cut: they are taken out
    // of the file, and are to be asked for again. Throws Error if the file cannot be read or written; naming the
    // line, if it holds other things or a row twice.
    explicit PredictionLog(std::filesystem::path path);
    // Buffered; returns whether rows reached the disk, which they do now and then.
    bool add(const Json& row);
    void sync();  // all of them
    const EditPredictions& all() const { return all_; }
    const std::map<std::string, int64_t>& counted() const { return counted_; }  // by status, failed ones by their failure

private:
    void take(const Json& row, const std::string& where);

    std::filesystem::path path_;
    EditPredictions all_;
    std::map<std::string, int64_t> counted_;
    std::optional<AppendFile> file_;
};

}  // namespace craft
