// `inspect`: what a model, adapter, store, run or file is and holds.
#include <unistd.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/inspection.h"
#include "cli/report_text.h"
#include "core/files.h"
#include "core/model_cache.h"
#include "view/run_watch.h"
#include "view/terminal.h"

namespace craft {

namespace {

constexpr size_t kCurveColumns = 60;

struct InspectOptions {
    std::filesystem::path path;
    std::string format = "text";
};

int run_inspect(int argc, const char* const* argv);

const Command kInspectCommand = {"inspect", CommandGroup::use_model,
                                 "what a model, adapter, store, run or file is and holds",
                                 "craft-train inspect weights/smollm2-135m-instruct.gguf", run_inspect};

int run_inspect(int argc, const char* const* argv) {
    CommonOptions common;
    InspectOptions options;
    OptionTable table;
    table
        .add("path", options.path,
             "a folder, a file, or org/name in the Hugging Face cache; only the headers of weights are read")
        .positional("PATH")
        .input()
        .required();
    table.add("format", options.format, "output format").flag("--format").one_of({"text", "json"}).not_identity();
    if (!parse_command(kInspectCommand, table, common, argc, argv)) return 0;
    const Json described = inspect_path(named_model(options.path));
    if (options.format == "json") {
        write_stdout(described.dump(2) + "\n");
        return 0;
    }
    std::string text = report_text(described);
    if (described["kind"] == "run") {
        const Terminal terminal = terminal_of(STDOUT_FILENO);
        text += "\n" + lay_out(RunWatch(described["path"].get<std::string>()).figures(kCurveColumns), terminal);
    }
    write_stdout(text);
    return 0;
}

}  // namespace

Command inspect_command() {
    return kInspectCommand;
}

}  // namespace craft
