#include "view/report_run.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <tuple>

#include "core/error.h"
#include "core/run_manifest.h"
#include "view/natural_key.h"
#include "view/record_fields.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Larger documents are models' or data's, and no figures.
constexpr uintmax_t kMostFigureBytes = uintmax_t{16} << 20;
constexpr int kMostFolders = 8;  // within one another
constexpr const char* kEvaluationRows = "eval.jsonl";

bool is_manifest(const std::string& name) {
    return name == kManifestFile || name.ends_with(std::string(".") + kManifestFile);
}

std::optional<Json> figures_in(const fs::path& file, ReportRun& run) {
    std::error_code gone;
    if (fs::file_size(file, gone) > kMostFigureBytes || gone) return std::nullopt;
    try {
        Json content = read_json_file(file);
        if (content.is_object()) return content;
    } catch (const Error& error) {
        run.notes.emplace_back(error.what());
    }
    return std::nullopt;
}

void note_version(const fs::path& folder, ReportRun& run) {
    try {
        read_manifest(folder);
    } catch (const Error& error) {
        run.notes.push_back(std::string(error.what()) + ": what this version knows of it is shown");
    }
}

// "align/round-1/train" of quickstart is "round-1/train" of align, so that both are overlaid.
std::string training_name(const std::string& folder, const ReportRun& run) {
    constexpr std::string_view kAlign = "align/";
    if (folder.empty()) return RecordFields(run.manifest).text("command").value_or("training");
    return folder.starts_with(kAlign) ? folder.substr(kAlign.size()) : folder;
}

bool is_stage(const Json& row) {
    return has_value(row, "name") && row.at("name").is_string() &&
           (has_value(row, "tool_f1") || has_value(row, "constraint_f1"));
}

void read_metrics(const fs::path& file, const std::string& folder, ReportRun& run) {
    std::ifstream in(file, std::ios::binary);
    TrainingCurves curves{training_name(folder, run), file.filename() == kEvaluationRows, {}};
    std::vector<Json> stages;
    int64_t bad = 0;
    for (std::string line; std::getline(in, line);) {
        const Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
        if (!row.is_object()) {
            // The last line of a run that goes on, or was killed, may be cut.
            bad += in.eof() ? 0 : 1;
            continue;
        }
        if (is_stage(row)) stages.push_back(row);
        if (!has_value(row, "loss") || !has_value(row, "step") || !row["step"].is_number()) continue;
        for (const auto& [name, value] : row.items())
            if (value.is_number() && name != "step" && name != "of_steps")
                curves.fields[name].emplace_back(row["step"].get<double>(), value.get<double>());
    }
    if (bad > 0)
        run.notes.push_back((fs::path(folder) / file.filename()).string() + ": " + std::to_string(bad) +
                            " lines that are no JSON objects");
    if (!curves.fields.empty()) run.trainings.push_back(std::move(curves));
    // One of several files of stages has those of the others, too.
    if (run.summary.empty() && stages.size() > run.stages.size()) run.stages = std::move(stages);
}

void read_figures(const fs::path& file, const std::string& name, ReportRun& run) {
    const std::string base = file.filename(), folder = fs::path(name).parent_path().string();
    const bool is_round = base == "complete.json" && file.parent_path().filename() == "pairs";
    if (base == "complete.json" && !is_round) return;
    auto content = figures_in(file, run);
    if (!content) return;
    RecordFields fields(*content);
    if (is_manifest(base)) {
        if (fields.text("program") == kProgramName) run.manifests.push_back({name, std::move(*content)});
    } else if (is_round) {
        run.rounds.push_back({training_name(fs::path(folder).parent_path().string(), run), std::move(*content)});
    } else if (base == "summary.json" && (!fields.list("stages").empty() || !fields.object("policies").empty())) {
        if (!run.summary.empty()) return;  // of a run within this one
        const Json& stages = fields.list("stages");
        run.stages.assign(stages.begin(), stages.end());
        run.summary = std::move(*content);
    } else if (RecordFields corpus(fields.object("corpus")); !corpus.object("call_errors").empty()) {
        run.evaluations.push_back({name, std::move(*content)});
    }
}

struct FolderEntry {
    bool is_folder = false;
    std::string key;
    fs::path path;
    bool operator<(const FolderEntry& other) const {
        return std::tie(is_folder, key, path) < std::tie(other.is_folder, other.key, other.path);
    }
};

// Files before folders, each by their names: what a run says of itself comes before what those within it say.
std::set<FolderEntry> entries_of(const fs::path& folder, ReportRun& run) {
    std::set<FolderEntry> entries;
    try {
        for (const auto& entry : fs::directory_iterator(folder))
            if (!entry.is_symlink())
                entries.insert({entry.is_directory(), natural_key(entry.path().filename()), entry.path()});
    } catch (const fs::filesystem_error& error) {  // a run that goes on removes files, too
        run.notes.push_back(folder.string() + ": " + error.code().message());
    }
    return entries;
}

void look_at_file(const fs::path& file, ReportRun& run) {
    const std::string name = file == run.path ? file.filename().string() : file.lexically_relative(run.path).string();
    if (file.extension() == ".html" || file.extension() == ".svg") return;  // reports of it
    std::error_code gone;
    const fs::file_time_type changed = fs::last_write_time(file, gone);
    if (!gone) run.changed = std::max(run.changed, changed);
    if (file.filename() == "metrics.jsonl" || file.filename() == kEvaluationRows)
        read_metrics(file, fs::path(name).parent_path().string(), run);
    else if (file.extension() == ".json")
        read_figures(file, name, run);
}

void look_through(const fs::path& folder, const std::vector<fs::path>& others, int depth, ReportRun& run) {
    for (const FolderEntry& entry : entries_of(folder, run)) {
        if (!entry.is_folder)
            look_at_file(entry.path, run);
        else if (depth < kMostFolders && std::find(others.begin(), others.end(), entry.path) == others.end())
            look_through(entry.path, others, depth + 1, run);
    }
}

bool is_within(const fs::path& path, const std::vector<fs::path>& folders) {
    return std::any_of(folders.begin(), folders.end(), [&](const fs::path& folder) {
        return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
    });
}

void find_record_places(const std::vector<fs::path>& others, ReportRun& run) {
    try {
        for (RecordPlace& place : record_places(run.path))
            if (!is_within(place.path, others)) run.places.push_back(std::move(place));
    } catch (const Error&) {  // there are none, which is not said of a run that has figures
        return;
    } catch (const fs::filesystem_error& error) {
        run.notes.push_back(std::string("not all records are found: ") + error.code().message());
    }
    if (run.places.size() == 1 && run.places[0].path == run.path)
        run.places[0].name = fs::weakly_canonical(run.path).filename().string();
}

// `others`: runs within it, which are told of by themselves.
ReportRun read_run(const fs::path& path, const std::vector<fs::path>& others) {
    ReportRun run;
    run.path = path;
    if (fs::is_directory(path)) {
        if (fs::exists(path / kManifestFile)) {
            ReportRun unused;  // what is wrong with it is noted below
            if (auto manifest = figures_in(path / kManifestFile, unused)) run.manifest = std::move(*manifest);
            note_version(path, run);
        }
        look_through(path, others, 0, run);
    } else {
        fs::path manifest = path;
        manifest += std::string(".") + kManifestFile;
        look_at_file(path, run);
        if (fs::exists(manifest)) look_at_file(manifest, run);
    }
    // Of a folder of outputs that one command wrote, it is that command's.
    if (run.manifest.empty() && run.manifests.size() == 1) run.manifest = run.manifests.front().content;
    const bool is_figures =
        !fs::is_directory(path) && (!run.evaluations.empty() || !run.manifests.empty()) && path.extension() == ".json";
    if (!is_figures) find_record_places(others, run);
    RecordFields fields(run.manifest);
    const Json& finished = fields.any("finished");
    run.finished = finished.is_boolean() && finished.get<bool>();
    return run;
}

bool has_nothing(const ReportRun& run) {
    return run.manifests.empty() && run.stages.empty() && run.summary.empty() && run.rounds.empty() &&
           run.evaluations.empty() && run.trainings.empty() && run.places.empty();
}

void find_runs(const fs::path& folder, int depth, std::vector<fs::path>& found) {
    ReportRun unused;
    for (const FolderEntry& entry : entries_of(folder, unused)) {
        if (!entry.is_folder) continue;
        if (fs::exists(entry.path / kManifestFile))
            found.push_back(entry.path);
        else if (depth < kMostFolders)
            find_runs(entry.path, depth + 1, found);
    }
}

// By the last part of their paths, where that tells them apart.
void name_runs(std::vector<ReportRun>& runs) {
    std::map<std::string, int> times;
    for (ReportRun& run : runs) ++times[run.name = fs::weakly_canonical(run.path).filename().string()];
    for (ReportRun& run : runs)
        if (times[run.name] > 1) run.name = run.path.lexically_normal().string();
}

}  // namespace

const Json* ReportRun::best_stage() const {
    const std::string best = RecordFields(summary).text("best").value_or("");
    for (const Json& stage : stages)
        if (RecordFields(stage).text("name") == best) return &stage;
    return stages.empty() ? nullptr : &stages.back();
}

std::vector<ReportRun> read_report_runs(const std::vector<fs::path>& paths) {
    std::vector<ReportRun> runs;
    std::set<fs::path> met;
    for (const fs::path& given : paths) {
        if (!fs::exists(given)) throw Error(given.string(), "the folder of a run", "nothing there");
        if (!met.insert(fs::canonical(given)).second) continue;
        const fs::path path = given.has_filename() ? given : given.parent_path();  // "runs/a/" is "runs/a"
        std::vector<fs::path> within;
        if (fs::is_directory(path) && !fs::exists(path / kManifestFile)) find_runs(path, 0, within);
        ReportRun run = read_run(path, within);
        const bool is_empty = has_nothing(run);
        if (is_empty && within.empty())
            throw Error(path.string(), "the folder of a run, or a file of records", "nothing that a report could show",
                        "inspect tells what it is");
        if (!is_empty) runs.push_back(std::move(run));
        for (const fs::path& one : within) runs.push_back(read_run(one, {}));
    }
    name_runs(runs);
    return runs;
}

}  // namespace craft
