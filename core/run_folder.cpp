#include "core/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "core/run_manifest.h"
#include "core/version.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLockFile = ".lock";

// What an interrupted start may leave behind: the lock and half-written files.
bool is_leftover(const std::string& name) {
    return name == kLockFile || name.find(".tmp-") != std::string::npos;
}

bool holds_files(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder))
        if (!is_leftover(entry.path().filename().string())) return true;
    return false;
}

void remove_contents(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        std::error_code code;
        if (entry.path().filename() != kLockFile) fs::remove_all(entry.path(), code);
        if (code) throw Error(entry.path().string() + ": cannot remove: " + code.message());
    }
}

// --overwrite must not eat what the run is to read.
void check_inputs_outside(const fs::path& folder, const std::vector<fs::path>& inputs) {
    const std::string inside = fs::weakly_canonical(folder).string() + "/";
    for (const auto& input : inputs) {
        const std::string real = fs::weakly_canonical(input).string() + "/";
        if (input != "-" && real.rfind(inside, 0) == 0)
            throw Error(input.string(), "an input outside the folder that --overwrite empties", "one in " + folder.string());
    }
}

}  // namespace

// flock() goes with the process, however it ends.
struct RunFolder::Lock {
    int fd = -1;
    explicit Lock(const fs::path& folder) {
        const fs::path file = folder / kLockFile;
        fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) throw Error(file.string() + ": cannot write: " + std::strerror(errno));
        if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return;
        const int reason = errno;
        ::close(fd);
        if (reason == EWOULDBLOCK)
            throw Error(folder.string(), "a folder for this run alone", "one that another process is writing",
                        "wait for it, or give another --out");
        throw Error(file.string() + ": cannot lock: " + std::strerror(reason));
    }
    ~Lock() { ::close(fd); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;
};

RunFolder::RunFolder(fs::path path, std::unique_ptr<Lock> lock)
    : path_(std::move(path)), lock_(std::move(lock)), start_(std::chrono::steady_clock::now()) {}
RunFolder::~RunFolder() = default;
RunFolder::RunFolder(RunFolder&&) noexcept = default;

RunFolder RunFolder::open(const fs::path& path, const RunIdentity& identity, bool overwrite) {
    ensure_folder(path);
    if (holds_files(path) && !read_manifest(path))
        throw Error(path.string(), "an empty folder or a run of craft-train", "a folder that holds other files",
                    "give another --out");
    RunFolder run(path, std::make_unique<Lock>(path));
    run.manifest_ = new_manifest(identity);
    const auto before = read_manifest(path);
    if (before && overwrite) {
        check_inputs_outside(path, identity.inputs);
        remove_contents(path);
    } else if (before) {
        check_same_run(path, *before, run.manifest_, identity);
        run.manifest_ = *before;
        run.earlier_seconds_ = before->value("wall_seconds", 0.0);
        if (run.finished()) return run;
        run.resumed_ = true;
        run.manifest_["resumes"] = before->value("resumes", 0) + 1;
        run.note_version(kProgramName, version());
    }
    run.save_manifest();
    return run;
}

bool RunFolder::finished() const {
    return manifest_.value("finished", false);
}

void RunFolder::count_dropped(const std::string& reason, int64_t by) {
    set_dropped(reason, manifest_["dropped"].value(reason, int64_t{0}) + by);
}

void RunFolder::set_dropped(const std::string& reason, int64_t total) {
    manifest_["dropped"][reason] = total;
}

void RunFolder::note(const std::string& key, const Json& value) {
    manifest_["notes"][key] = value;
}

void RunFolder::note_version(const std::string& name, const std::string& version) {
    manifest_["versions"][name] = version;
}

void RunFolder::save_manifest() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    manifest_["wall_seconds"] = earlier_seconds_ + elapsed.count();
    manifest_["peak_memory_bytes"] = std::max(manifest_.value("peak_memory_bytes", int64_t{0}), peak_memory_bytes());
    write_json_file(path_ / kManifestFile, manifest_);
}

void RunFolder::finish() {
    manifest_["finished"] = true;
    save_manifest();
}

Stage::Stage(fs::path path) : path_(std::move(path)) {
    ensure_folder(path_);
}

fs::path Stage::marker() const {
    return path_ / "complete.json";
}

bool Stage::complete() const {
    std::error_code code;
    return fs::exists(marker(), code);
}

void Stage::mark_complete(const Json& summary) const {
    write_json_file(marker(), summary);
}

Json Stage::summary() const {
    return read_json_file(marker());
}

int64_t peak_memory_bytes() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace craft
