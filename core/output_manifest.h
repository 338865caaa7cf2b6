// OUTPUT.manifest.json, beside the result of a command without a run folder: what ran, on what, at what cost, over all its
// resumes. It is that of the output which is there: a run that has not finished has OUTPUT.partial.manifest.json.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "core/json.h"
#include "core/run_folder.h"

namespace craft {

class OutputManifest {
public:
    // Nothing is written beside an output that is no file (stdout, a pipe). `continues`: the command takes up what it left;
    // else it starts over. Throws Error as new_manifest() does.
    OutputManifest(const std::string& output, const RunIdentity& identity, bool continues);
    // The same; it resumes where a manifest is there of the same run that has not finished.
    OutputManifest(const std::string& output, const RunIdentity& identity);
    const Json& earlier() const { return earlier_; }  // of the same run before it was stopped; empty: none
    void note(const std::string& key, const Json& value) { manifest_[key] = value; }
    // finished: the output is there. To be called after writing it, and before its rows are removed.
    void write(bool finished);

private:
    void begin(bool continues);
    bool is_unfinished() const;

    std::filesystem::path path_, unfinished_;  // empty: nothing is written
    Json manifest_, earlier_ = Json::object();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace craft
