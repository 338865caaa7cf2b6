#include "core/output_manifest.h"

#include "core/option_files.h"
#include "core/output_place.h"
#include "core/process_memory.h"
#include "core/run_manifest.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Empty where there is none.
fs::path manifest_of(const std::string& output) {
    return is_written_directly(output) ? "" : manifest_path(output);
}

fs::path unfinished_manifest_of(const std::string& output) {
    return is_written_directly(output) ? "" : unfinished_manifest_path(output);
}

}  // namespace

OutputManifest::OutputManifest(const std::string& output, const RunIdentity& identity, bool continues)
    : path_(manifest_of(output)), unfinished_(unfinished_manifest_of(output)), manifest_(new_manifest(identity, {})) {
    begin(continues);
}

OutputManifest::OutputManifest(const std::string& output, const RunIdentity& identity)
    : path_(manifest_of(output)), unfinished_(unfinished_manifest_of(output)), manifest_(new_manifest(identity, {})) {
    begin(is_unfinished());
}

void OutputManifest::begin(bool continues) {
    if (path_.empty()) return;
    if (continues && fs::exists(unfinished_)) earlier_ = read_json_file(unfinished_);
    manifest_["resumes"] = continues ? earlier_.value("resumes", int64_t{0}) + 1 : 0;
}

bool OutputManifest::is_unfinished() const {
    if (path_.empty() || !fs::exists(unfinished_)) return false;
    try {
        const Json there = read_json_file(unfinished_);
        return there.is_object() && there.value("identity", Json()) == manifest_.at("identity");
    } catch (const std::exception&) {
        return false;  // what cannot be read is replaced
    }
}

void OutputManifest::write(bool finished) {
    if (path_.empty()) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    manifest_["wall_seconds"] = seconds + earlier_.value("wall_seconds", 0.0);
    manifest_["peak_memory_bytes"] = peak_resident_bytes();
    manifest_["finished"] = finished;
    write_json_file(finished ? path_ : unfinished_, manifest_);
    if (finished) fs::remove(unfinished_);
}

}  // namespace craft
