// `constraints`: instructions with constraints that a revision is proven to meet (CRAFT §3).
#include "align/instruction_run.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "cli/role_options.h"
#include "data/constraints/sealed_sets.h"

namespace craft {

namespace {

struct ConstraintsOptions : InstructionRunOptions {
    // What check() makes the systems of.
    std::string reviser_name = "rules", rewriter_name, easy_name;
};

std::vector<std::string> sealed_set_names() {
    std::vector<std::string> names;
    for (const SealedSet* set : sealed_sets()) names.push_back(set->name);
    return names;
}

OptionState model_revises() {
    return {"reviser", {"local:", "openai:"}};
}

void bind_easy(OptionTable& table, ConstraintsOptions& o) {
    const auto group = table.group("Easy constraints");
    table
        .add("easy", o.easy_name,
             "system that writes a constraint of style or content for each text, in turn, in place of those that a program "
             "checks; `eval easy` judges them: local:MODEL[+ADAPTER], or openai:PROFILE; empty: none")
        .flag("--easy")
        .input();
    for (const char* key : {"sealed", "revisions", "rewriter", "domain", "every_text", "mix", "split", "proof"})
        table.at(key).excludes("easy", "no program checks easy constraints");
    table.at("easy").excludes(model_revises(), "no values are read");
    const size_t before = table.options().size();
    table
        .add("easy_sampling.temperature", o.easy_sampling.temperature,
             "sampling temperature of the constraints' writer; 0: greedy")
        .min(0);
    bind_new_tokens(table, "easy_sampling.max_new_tokens", o.easy_sampling.max_new_tokens, "of a constraint's writer");
    for (Option& option : table.added_since(before)) option.needs("easy");
}

// Who writes revisions, wordings and easy constraints.
void bind_models(OptionTable& table, ConstraintsOptions& o) {
    {
        const auto group = table.group(kReviserGroup);
        bind_reviser(table, o.reviser_name, o.model_reviser, "who writes the revisions that values are read from");
        table.at("revisions").excludes(model_revises(), "it would write others");
        table.at("sealed").excludes(model_revises(), "the sealed set is always the same");
    }
    bind_rewriter(table, o.rewriter_name, o.rewriting);
    table.at("rewriter").excludes("sealed", "the sealed set is always the same");
    bind_easy(table, o);
    const auto group = table.group(kHostedGroup);
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    table.add("flow.items", o.flow.items_at_once, "texts and instructions that are asked about concurrently")
        .min(1)
        .max(10000)
        .not_identity();
    bind_role_systems(table, o.systems, {"reviser", "rewriter", "easy"});
    for (const char* key : {"prompts", "flow.items", "record", "answers"})
        table.at(key).needs_any({model_revises(), "rewriter", "easy"});
}

void bind(OptionTable& table, ConstraintsOptions& o) {
    const auto data = table.group(kDataGroup);
    table.add("texts", o.texts, "texts to write instructions for: {\"id\",\"text\"} per line, - for stdin")
        .flag("--texts")
        .input()
        .required_without("sealed");
    table
        .add("sealed", o.sealed,
             "sealed evaluation set to use instead of --texts, the same in every run; for evaluation only (docs/shipped.md)")
        .flag("--sealed")
        .one_of(sealed_set_names());
    table
        .add("revisions", o.revisions,
             "revised versions to read values from, same form and ids; none: --reviser writes them")
        .flag("--revisions")
        .input();
    table.add("output", o.output, "instructions, JSON Lines, - for stdout").flag("--output").output().required();
    bind_domains(table, "domain", o.generator.domains, "domains to cycle through: c0 (no constraint) to c4 (four)")
        .flag("--domain");
    table.add("count", o.generator.count, "number of instructions").flag("--count").min(1);
    table.add("every_text", o.generator.every_text, "each text once in each domain, in their order, instead of --count")
        .flag("--every-text")
        .excludes("count");
    bind_mix(table, "mix", o.generator.mix).flag("--mix");
    table
        .add_enum("split", o.generator.split, {{"all", Split::all}, {"train", Split::train}, {"dev", Split::dev}},
                  "wordings and values to use; train and dev share none, and none with sealed sets")
        .flag("--split");
    for (const char* key : {"texts", "revisions", "domain", "count", "every_text", "mix", "split"})
        table.at(key).excludes("sealed", "the sealed set is always the same");
    bind_sentences(table, o.generator.sentences);
    table.add("report", o.report, "JSON file for the counts of shapes, redraws and drops; empty: none")
        .flag("--report")
        .output();
    table.add("proof", o.proof, "revisions that meet all constraints, {\"id\",\"text\"} per line for eval cord; empty: none")
        .flag("--proof")
        .output();
    bind_json_lines(table, o.lines);
    bind_models(table, o);
}

void check_models(OptionTable& table, ConstraintsOptions& o) {
    parse_role(table, "reviser", o.reviser_name, o.reviser);
    check_rewriter(table, o.rewriter_name, o.rewriter);
    if (!o.easy_name.empty()) parse_role(table, "easy", o.easy_name, o.easy);
    if (o.easy_name.starts_with("rules"))
        table.add_problem("--easy rules: rules write no such constraints; known: local:MODEL[+ADAPTER], openai:PROFILE");
    check_role_systems(table, o.systems, {o.reviser, o.rewriter, o.easy});
}

void check(OptionTable& table, ConstraintsOptions& o) {
    add_mix_problem(table, "mix", o.generator.mix, o.generator.domains);
    for (const auto& [flag, file] : {std::pair("--proof", o.proof), std::pair("--report", o.report.string())})
        if (file == "-") table.add_problem(std::string(flag) + ": expected a file, got stdout");
    check_models(table, o);
    if (Inquiry* inquiry = Inquiry::estimating(); inquiry != nullptr && !o.sealed) {
        const DataSize texts = inquiry->size_of(o.texts);
        const DataSize made = {instructions_made(o, texts), texts.text};
        inquiry->tell(instructions_work(o, texts), {{o.output, made}, {o.proof, made}});
    }
}

int run_constraints(int argc, const char* const* argv);

const Command kConstraintsCommand = {
    "constraints",
    CommandGroup::make_data,
    "make instructions with constraints from texts",
    "craft-train constraints --texts share/texts/train.jsonl --count 100 --output instructions.jsonl",
    run_constraints,
    Work::generation};

int run_constraints(int argc, const char* const* argv) {
    CommonOptions common;
    ConstraintsOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kConstraintsCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); })) return 0;
    write_instructions(options, common, common.seed);
    return 0;
}

}  // namespace

Command constraints_command() {
    return kConstraintsCommand;
}

}  // namespace craft
