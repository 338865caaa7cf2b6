#include "cli/output_manifest.h"

#include "core/process_memory.h"
#include "core/run_manifest.h"

namespace craft {

namespace fs = std::filesystem;

OutputManifest::OutputManifest(const std::string& output, const RunIdentity& identity, bool goes_on)
    : manifest_(new_manifest(identity, {})) {
    if (output == "-" || (fs::exists(output) && !fs::is_regular_file(output))) return;
    path_ = output + ".manifest.json";
    if (goes_on && fs::exists(path_)) earlier_ = read_json_file(path_);
    manifest_["resumes"] = goes_on ? earlier_.value("resumes", int64_t{0}) + 1 : 0;
}

void OutputManifest::write(bool finished) {
    if (path_.empty()) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    manifest_["wall_seconds"] = seconds + earlier_.value("wall_seconds", 0.0);
    manifest_["peak_memory_bytes"] = peak_resident_bytes();
    manifest_["finished"] = finished;
    write_json_file(path_, manifest_);
}

}  // namespace craft
