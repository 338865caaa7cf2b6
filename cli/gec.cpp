// `gec`: texts of learners corrected by the grammar agent, or by a model's single answers (GEC-Agent §3, §4).
#include "cli/command.h"
#include "cli/gec_options.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "gec/run/correction_run.h"

namespace craft {

namespace {

int run_gec(int argc, const char* const* argv);

const Command kGecCommand = {"gec",
                             CommandGroup::revise_and_judge,
                             "correct learners' sentences step by step",
                             "craft-train gec --input share/examples/learners.txt --output corrected.jsonl --model "
                             "local:weights/smollm2-135m-instruct.gguf --method zero_shot --max-new-tokens 40",
                             run_gec,
                             Work::generation};

void bind_command(OptionTable& table, CorrectionRunOptions& o) {
    const auto data = table.group(kDataGroup);
    table
        .add("input", o.gec.input,
             "texts: {\"id\",\"text\"} per line of a .jsonl file or, as -, of stdin; of any other file each line is one")
        .flag("--input")
        .input()
        .required();
    bind_gec(table, o.gec);
    table
        .add_enum("method", o.gec.method,
                  {{"agent", GecMethod::agent},
                   {"zero_shot", GecMethod::zero_shot},
                   {"zero_shot_cot", GecMethod::zero_shot_cot},
                   {"few_shot", GecMethod::few_shot},
                   {"few_shot_cot", GecMethod::few_shot_cot},
                   {"few_shot_retrieved", GecMethod::few_shot_retrieved}},
                  "agent: step by step; the others ask once: without examples, with three, or with the three nearest of "
                  "--retrieval; cot: reasoning before the answer")
        .flag("--method")
        .excludes({"model", {"rules"}}, "the rules answer no other prompts")
        .when({"zero_shot", "zero_shot_cot", "few_shot", "few_shot_cot", "few_shot_retrieved"})
        .needs("retrieval")
        .when({"few_shot_retrieved"});
    table.add("whole", o.whole, "do not split texts into sentences").flag("--whole");
    table
        .add_enum("format", o.format, {{"jsonl", GecFormat::jsonl}, {"text", GecFormat::text}, {"m2", GecFormat::m2}},
                  "jsonl: text, edits, calls and trace; text: one per line; m2: the edits of space-separated tokens")
        .flag("--format");
    table
        .add("references", o.references,
             "reference corrections, one line per text, to score against (in the manifest); repeat for several references")
        .flag("--reference")
        .input()
        .type = "paths";
}

// An agent needs some four replies a sentence (GEC-Agent Figure 4), each after all before it; the others give one.
void tell_work(const GecOptions& o) {
    constexpr double kReplies = 4.1, kAgentRules = 1500, kShortRules = 200, kReply = 80, kObservation = 120;
    Inquiry* const inquiry = Inquiry::estimating();
    if (inquiry == nullptr) return;
    const DataSize texts = inquiry->size_of(o.input);
    const bool is_agent = o.method == GecMethod::agent;
    const double replies = is_agent ? kReplies : 1;
    const double read = (is_agent ? kAgentRules : kShortRules) + texts.text + (replies - 1) / 2 * (kReply + kObservation);
    WorkEstimate work;
    add_asked(work, "model", o.spec, texts.rows * replies, read, is_agent ? kReply : texts.text);
    inquiry->tell(std::move(work), {{o.output, texts}});
}

int run_gec(int argc, const char* const* argv) {
    CommonOptions common;
    CorrectionRunOptions options;
    OptionTable table;
    bind_command(table, options);
    if (!parse_command(kGecCommand, table, common, argc, argv, [&](OptionTable& t) {
            check_gec(t, options.gec);
            tell_work(options.gec);
        }))
        return 0;
    const RunIdentity identity = rows_identity(kGecCommand, table, common, open_placement(common), /*by_parts=*/true);
    correct_texts(options, common, common.seed, identity, common.overwrite);
    return 0;
}

}  // namespace

Command gec_command() {
    return kGecCommand;
}

}  // namespace craft
