// `trajectories import` and `trajectories export`: between stores and JSON Lines.
#include "align/trajectories.h"
#include "cli/command.h"
#include "cli/common.h"
#include "data/store.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

int run_import(int argc, const char* const* argv);
int run_export(int argc, const char* const* argv);

const Command kImport = {"trajectories import", CommandGroup::make_data, "a trajectory store from JSON Lines",
                         "craft-train trajectories import --input runs/trajectories/trajectories.jsonl --out runs/imported",
                         run_import};
const Command kExport = {"trajectories export", CommandGroup::make_data, "JSON Lines from a trajectory store",
                         "craft-train trajectories export --store runs/trajectories --output trajectories.jsonl",
                         run_export};

int run_import(int argc, const char* const* argv) {
    CommonOptions common;
    fs::path input;
    StoreOptions store_options;
    JsonLinesOptions lines;
    OptionTable table;
    table.add("input", input, "trajectories, JSON Lines (what `trajectories --jsonl` and `export` write), - for stdin")
        .flag("--input")
        .input()
        .required();
    table.add("store.segment_trajectories", store_options.segment_trajectories, "trajectories of a segment file").min(1);
    table.add("store.compression", store_options.compression, "deflate level of segment files; 0: off").min(0).max(9);
    bind_json_lines(table, lines);
    bind_run(table, common);
    if (!parse_command(kImport, table, common, argc, argv)) return 0;
    RunFolder run = open_run(kImport, table, common);
    if (run.finished()) return 0;
    if (!run.resumed()) check_trajectories(input.string(), lines);
    run.replace_former();
    StoreWriter store(run.path(), store_options);
    UnknownKeys unknown;
    const int64_t count = import_trajectories(input.string(), store, lines, &unknown);
    unknown.warn(input.string());
    note_unknown_keys(run, unknown);
    if (const auto bad = store.progress().value("bad_lines", int64_t{0}); bad > 0) run.set_dropped("bad line", bad);
    write_trajectory_metrics(run.path());
    run.finish();
    log_info("imported trajectories", {{"trajectories", count}, {"store", run.path().string()}});
    return 0;
}

int run_export(int argc, const char* const* argv) {
    CommonOptions common;
    fs::path store;
    std::string output;
    bool unfinished = false;
    OptionTable table;
    table.add("store", store, "folder of a trajectory store").flag("--store").input().required();
    table.add("output", output, "trajectories, JSON Lines, - for stdout").flag("--output").output().required();
    table.add("allow_unfinished", unfinished, "also export what a stopped run has sealed so far").flag("--allow-unfinished");
    if (!parse_command(kExport, table, common, argc, argv)) return 0;
    StoreReader reader(store, unfinished);
    const int64_t count = export_trajectories(reader, output);
    log_info("exported trajectories", {{"trajectories", count}});
    return 0;
}

}  // namespace

Command trajectories_import_command() {
    return kImport;
}

Command trajectories_export_command() {
    return kExport;
}

}  // namespace craft
