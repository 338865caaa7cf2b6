// `simplify sheet`: systems' simplifications for people to rate who do not know the systems (policy simplification §4.5).
#include <filesystem>

#include "cli/command.h"
#include "cli/common.h"
#include "core/error.h"
#include "core/files.h"
#include "simplify/policy.h"
#include "simplify/rating_sheet.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

int run_simplify_sheet(int argc, const char* const* argv);

const Command kSimplifySheetCommand = {
    "simplify sheet", CommandGroup::revise_and_judge, "simplifications for people to rate, the systems hidden",
    "craft-train simplify sheet --input share/examples/sentences.jsonl --outputs "
    "copy=share/examples/sentences.jsonl,easier=share/examples/simplified.jsonl --policy lexical --sample 2 --out sheet.csv "
    "--key key.json",
    run_simplify_sheet};

struct SimplifySheetOptions {
    std::string input;
    std::vector<std::string> outputs;  // NAME=FILE
    SimplificationPolicy policy = SimplificationPolicy::lexical;
    int64_t sample = 60;
    fs::path out, key;
    JsonLinesOptions lines;

    std::vector<std::pair<std::string, std::string>> systems;  // what `outputs` say
};

void bind(OptionTable& table, SimplifySheetOptions& o) {
    table.add("input", o.input, "the sentences: {\"id\",\"text\"} per line").flag("--input").input().required();
    table
        .add("outputs", o.outputs,
             "outputs of the systems, NAME=FILE, comma-separated: files of `simplify run`, {\"id\",\"text\"} per line")
        .flag("--outputs")
        .input()
        .required()
        .filled();
    table.add_enum("policy", o.policy, simplification_policies(), "what the systems were asked for, recorded in the key")
        .flag("--policy")
        .required();
    table.add("sample", o.sample, "sentences that are drawn by --seed, each with every system's text; 0: all")
        .flag("--sample")
        .min(0);
    table.add("out", o.out, "the sheet, CSV: raters fill in its column rating, with whole numbers from 1 to 5")
        .flag("--out")
        .output()
        .required();
    table.add("key", o.key, "which system made each item, JSON: not for raters").flag("--key").output().required();
    bind_json_lines(table, o.lines);
}

void check(OptionTable& table, SimplifySheetOptions& o) {
    o.systems = named_files(table, "outputs", o.outputs);
    if (o.outputs.size() == 1) table.add_problem("--outputs: expected two systems or more, got one");
}

int run_simplify_sheet(int argc, const char* const* argv) {
    CommonOptions common;
    SimplifySheetOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kSimplifySheetCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); }))
        return 0;
    int64_t bad_lines = 0;
    options.lines.bad_lines = &bad_lines;
    const std::vector<RevisedText> sources = read_revised_texts(options.input, options.lines);
    std::vector<SystemOutputs> systems;
    Json files = {{"input", fs::is_regular_file(options.input) ? Json(file_hash(options.input)) : Json(nullptr)}};
    for (const auto& [name, file] : options.systems) {
        systems.push_back({name, read_revised_texts(file, options.lines)});
        files["outputs"][name] = file_hash(file);
    }
    const RatingSheet sheet = make_rating_sheet(
        sources, systems, {.policy = policy_name(options.policy), .sample = options.sample, .seed = common.seed});
    Json key = rating_key(sheet);
    key["files"] = files;
    if (bad_lines > 0) key["bad_lines"] = bad_lines;
    write_file_atomic(options.key, key.dump(1) + "\n");
    write_file_atomic(options.out, rating_sheet_csv(sheet));
    log_info("sheet", {{"items", sheet.items.size()}, {"sentences", key["sentences"]}, {"bad_lines", bad_lines}});
    return 0;
}

}  // namespace

Command simplify_sheet_command() {
    return kSimplifySheetCommand;
}

}  // namespace craft
