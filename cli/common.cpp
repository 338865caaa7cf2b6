#include "cli/common.h"

#include <atomic>

#include "cli/begun_run.h"

namespace craft {

namespace {
std::atomic<bool> begun = false;
}  // namespace

void set_begun_run(bool is_begun) {
    begun = is_begun;
}

bool has_begun_run() {
    return begun;
}

void bind_common(OptionTable& table, CommonOptions& options) {
    table.add("seed", options.seed, "every random choice is keyed by it").flag("--seed").common();
    table.add("threads", options.threads, "CPU threads; 0: all cores").flag("--threads").min(0).not_identity().common();
    table.add("device", options.device, "auto, cpu, cuda or cuda:N; auto: cuda where one works, else cpu")
        .flag("--device")
        .not_identity()
        .common();
    table.add("dtype", options.dtype, "of weights and activations; auto: bfloat16 on CUDA, float32 on CPU")
        .flag("--dtype")
        .one_of({"auto", "float32", "bfloat16"})
        .common();
    table.add("quiet", options.quiet, "only warnings and errors on stderr").flag("--quiet").not_identity().common();
    table.add_enum("log_format", options.log_format, {{"text", LogFormat::text}, {"json", LogFormat::json}}, "of stderr")
        .flag("--log-format")
        .not_identity()
        .common();
}

void bind_run(OptionTable& table, CommonOptions& options) {
    table.add("out", options.out, "run folder; the same command with the same folder resumes")
        .flag("--out")
        .required()
        .not_identity();
    table.add("overwrite", options.overwrite, "empty the run folder first").flag("--overwrite").not_identity();
}

void bind_json_lines(OptionTable& table, JsonLinesOptions& options) {
    table.add("skip_bad_lines", options.skip_bad, "count and report bad input lines instead of ending the run")
        .flag("--skip-bad-lines");
}

RunFolder open_run(const Command& command, const OptionTable& table, const CommonOptions& options,
                   const std::vector<std::filesystem::path>& inputs) {
    RunIdentity identity;
    identity.command = command.name;
    identity.options = table.identity();
    identity.inputs = inputs;
    identity.seed = options.seed;
    identity.command_line = options.command_line;
    identity.configuration = table.resolved();
    RunFolder run = RunFolder::open(options.out, identity, options.overwrite);
    set_begun_run(true);
    if (run.finished())
        log_info(options.out.string() + ": this run is finished already; --overwrite starts it anew");
    else if (run.resumed())
        log_info(options.out.string() + ": going on where the run stopped");
    return run;
}

}  // namespace craft
