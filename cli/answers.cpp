// `answers export`: the cache of recorded answers as JSON Lines.
#include "cli/command.h"
#include "cli/common.h"
#include "cli/system_options.h"
#include "core/error.h"
#include "core/files.h"
#include "systems/recorded/cache_folder.h"
#include "systems/recorded/export_answers.h"

namespace craft {

namespace {

int run_answers_export(int argc, const char* const* argv);

const Command kAnswersExport = {"answers export", CommandGroup::revise_and_judge, "recorded answers as JSON Lines",
                                "craft-train answers export --answers runs/answers --output recorded.jsonl",
                                run_answers_export};

int run_answers_export(int argc, const char* const* argv) {
    CommonOptions common;
    std::filesystem::path folder;
    std::string output;
    OptionTable table;
    table.add("answers", folder, "folder of the cache; empty: craft-train/answers in the user's cache")
        .flag("--answers")
        .input();
    table.add("output", output, "one answer per line with its request, model and cost (docs/hosted.md), - for stdout")
        .flag("--output")
        .output()
        .required();
    if (!parse_command(kAnswersExport, table, common, argc, argv)) return 0;
    if (folder.empty()) folder = default_answers_folder();
    // Opening a cache makes one where there is none, which whoever wants to read one did not ask for.
    if (!std::filesystem::exists(folder / kAnswersFile))
        throw Error(folder.string(), std::string("a cache of answers (") + kAnswersFile + ")", "none",
                    "give the run's folder with --answers");
    const AnswerCache cache(folder);
    OutputFile out(output);
    const ExportCounts counts = export_lines(cache, out);
    out.close();
    log_info("exported answers", {{"answers", counts.answers}, {"damaged", counts.damaged}});
    return 0;
}

}  // namespace

Command answers_export_command() {
    return kAnswersExport;
}

}  // namespace craft
