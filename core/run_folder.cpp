#include "core/run_folder.h"

#include <algorithm>

#include "core/error.h"
#include "core/file_lock.h"
#include "core/files.h"
#include "core/log.h"
#include "core/process_memory.h"
#include "core/run_manifest.h"
#include "core/version.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kLockFile = ".lock";
constexpr const char* kFormerRun = ".former";                  // what --overwrite replaces, until there is something new
constexpr const char* kGoneRun = ".former.tmp-being-removed";  // it, from when on nobody wants it back

// What is no part of the run: the lock, the former run, and the half-written files of an interrupted start.
bool is_leftover(const std::string& name) {
    return name == kLockFile || name == kFormerRun || name.find(".tmp-") != std::string::npos;
}

std::vector<fs::path> contents(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder))
        if (!is_leftover(entry.path().filename().string())) found.push_back(entry.path());
    return found;
}

bool is_folder(const fs::directory_entry& entry) {
    return entry.is_directory() && !entry.is_symlink();
}

// Whether the run has made something: a file besides its manifest.
bool holds_work(const fs::path& folder) {
    for (const fs::path& path : contents(folder)) {
        if (path.filename() == kManifestFile) continue;
        if (!is_folder(fs::directory_entry(path))) return true;
        for (const auto& entry : fs::recursive_directory_iterator(path))
            if (!is_folder(entry)) return true;
    }
    return false;
}

// Whether the folder's manifest is ours. Under --overwrite one that cannot be read will do, where we locked the folder.
bool holds_run(const fs::path& folder, bool overwrite) {
    try {
        return read_manifest(folder).has_value();
    } catch (const Error&) {
        if (!overwrite || !fs::exists(folder / kLockFile)) throw;
        return true;
    }
}

// The manifest of a run that has made something or is finished: a start that failed before that stands in nobody's way.
std::optional<Json> begun_run(const fs::path& folder) {
    auto manifest = read_manifest(folder);
    if (manifest && !manifest->value("finished", false) && !holds_work(folder)) return std::nullopt;
    return manifest;
}

// The manifest is set aside last and put back first. A former run without it is half of one: the process ended in between.
void set_former_aside(const fs::path& folder) {
    const fs::path former = folder / kFormerRun;
    fs::create_directory(former);
    std::vector<fs::path> paths;  // half-written files too
    for (const auto& entry : fs::directory_iterator(folder)) paths.push_back(entry.path());
    for (const fs::path& path : paths)
        if (const fs::path name = path.filename(); name != kLockFile && name != kFormerRun && name != kManifestFile)
            fs::rename(path, former / name);
    fs::rename(folder / kManifestFile, former / kManifestFile);
}

void put_former_back(const fs::path& folder) {
    const fs::path former = folder / kFormerRun;
    if (fs::exists(former / kManifestFile)) {
        for (const fs::path& path : contents(folder)) fs::remove_all(path);
        fs::rename(former / kManifestFile, folder / kManifestFile);
    }
    for (const fs::path& path : contents(former)) fs::rename(path, folder / path.filename());
    fs::remove_all(former);
}

void drop_former(const fs::path& folder) {
    if (fs::exists(folder / kFormerRun)) fs::rename(folder / kFormerRun, folder / kGoneRun);
    fs::remove_all(folder / kGoneRun);
}

// Ends what --overwrite began, here or in a process that was killed: a former run that nobody dropped is the one that
// counts.
void settle_former(const fs::path& folder) {
    fs::remove_all(folder / kGoneRun);
    if (!fs::exists(folder / kFormerRun)) return;
    put_former_back(folder);
    log_info(folder.string() + ": the previous run is kept, since nothing replaced it");
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

struct RunFolder::Lock {
    explicit Lock(const fs::path& folder) : file(folder / kLockFile) {
        if (!file.is_held())
            throw Error(folder.string(), "a folder that no other process writes", "one that another process is writing",
                        "wait for it, or give another --out");
    }
    FileLock file;
};

RunFolder::RunFolder(fs::path path, std::unique_ptr<Lock> lock)
    : path_(std::move(path)), lock_(std::move(lock)), start_(std::chrono::steady_clock::now()) {}
RunFolder::RunFolder(RunFolder&&) noexcept = default;
RunFolder::~RunFolder() {
    if (!lock_) return;  // moved from, or another process's
    try {
        settle_former(path_);
    } catch (const std::exception& error) {  // the next start settles it
        log_warning(error.what());
    }
}

RunFolder RunFolder::open(const fs::path& path, const RunIdentity& identity, bool overwrite) {
    ensure_folder(path);
    if (!contents(path).empty() && !holds_run(path, overwrite))
        throw Error(path.string(), "an empty folder or a run of craft-train", "a folder that holds other files",
                    "give another --out");
    RunFolder run(path, std::make_unique<Lock>(path));
    settle_former(path);
    run.manifest_ = new_manifest(identity, path);
    if (overwrite && !contents(path).empty()) {
        check_inputs_outside(path, identity.inputs);
        set_former_aside(path);
    } else if (const auto before = begun_run(path)) {
        check_same_run(path, *before, run.manifest_);
        const Json files = run.manifest_["data_files"];
        run.manifest_ = *before;
        run.manifest_["data_files"] = files;
        run.earlier_seconds_ = before->value("wall_seconds", 0.0);
        if (run.finished()) return run;
        run.resumed_ = true;
        run.manifest_["resumes"] = before->value("resumes", 0) + 1;
        run.note_version(kProgramName, version());
    }
    run.save_manifest();
    return run;
}

RunFolder RunFolder::follow(const fs::path& path, bool finished, bool resumed) {
    RunFolder run(path, nullptr);
    run.manifest_ = {{"finished", finished}};
    run.resumed_ = resumed;
    return run;
}

void RunFolder::replace_former() {
    if (lock_) drop_former(path_);
}

bool RunFolder::finished() const {
    return manifest_.value("finished", false);
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
    if (!lock_) return;  // another process's
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    manifest_["wall_seconds"] = earlier_seconds_ + elapsed.count();
    manifest_["peak_memory_bytes"] = std::max(manifest_.value("peak_memory_bytes", int64_t{0}), peak_resident_bytes());
    write_json_file(path_ / kManifestFile, manifest_);
}

void RunFolder::finish() {
    replace_former();
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

void Stage::not_of_ours(const std::string& problem) const {
    throw Error(marker().string(), "what this stage writes", problem, "remove the file to rerun the stage");
}

namespace {

std::string begun;

}  // namespace

void set_resumable_run(const std::string& place) {
    begun = place;
}

const std::string& resumable_run() {
    return begun;
}

}  // namespace craft
