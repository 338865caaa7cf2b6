// `constraints`: instructions with constraints that a revision is proven to meet (CRAFT §3).
#include <algorithm>

#include "align/instruction_rewriter.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/option_groups.h"
#include "cli/system_options.h"
#include "core/files.h"
#include "data/constraints/generator.h"
#include "data/constraints/sealed_sets.h"
#include "data/constraints/source_texts.h"
#include "data/constraints/values.h"
#include "rollout/rules/free_revision.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct ConstraintsOptions {
    std::string texts, revisions, output;
    std::optional<std::string> sealed;
    int64_t count = 1000;
    std::filesystem::path report;
    std::string proof;
    GeneratorOptions generator;
    std::string rewriter;      // empty: none
    SystemSpec rewriter_spec;  // what it says
    fs::path prompts;
    RewriterOptions rewriting;
    RoleSystemOptions systems;
    FlowOptions flow = {.items_at_once = 256, .items_ahead = 1024};
    JsonLinesOptions lines;
};

std::vector<std::string> sealed_set_names() {
    std::vector<std::string> names;
    for (const SealedSet* set : sealed_sets()) names.push_back(set->name);
    return names;
}

void bind_rewriter(OptionTable& table, ConstraintsOptions& o) {
    const auto group = table.group("Rewriter");
    table
        .add("rewriter", o.rewriter,
             "system that rewrites each instruction: local:MODEL[+ADAPTER], or openai:PROFILE; a rewrite that changes what "
             "is asked for is discarded; empty: none")
        .flag("--rewriter")
        .input()
        .excludes("sealed", "the sealed set is always the same");
    const size_t before = table.options().size();
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    table
        .add("rewriter_sampling.temperature", o.rewriting.sampling.temperature,
             "sampling temperature of the rewriter; 0: greedy")
        .min(0);
    bind_new_tokens(table, "rewriter_sampling.max_new_tokens", o.rewriting.sampling.max_new_tokens, "of the rewriter");
    table.add("flow.items", o.flow.items_at_once, "instructions rewritten concurrently").min(1).max(10000).not_identity();
    for (Option& option : table.added_since(before)) option.needs("rewriter");
    bind_role_systems(table, o.systems, {"rewriter"});
    for (const char* key : {"record", "answers"}) table.at(key).needs("rewriter");
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
    table.add("revisions", o.revisions, "revised versions to read values from, same form and ids; none: written by rules")
        .flag("--revisions")
        .input();
    table.add("output", o.output, "instructions, JSON Lines, - for stdout").flag("--output").output().required();
    bind_domains(table, "domain", o.generator.domains, "domains to cycle through: c0 (no constraint) to c4 (four)")
        .flag("--domain");
    table.add("count", o.count, "number of instructions").flag("--count").min(1);
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
    bind_rewriter(table, o);
}

void check_rewriter(OptionTable& table, ConstraintsOptions& o) {
    std::vector<SystemSpec> specs;
    if (!o.rewriter.empty()) {
        parse_role(table, "rewriter", o.rewriter, o.rewriter_spec);
        if (o.rewriter.starts_with("rules"))
            table.add_problem(
                "--rewriter rules: rules cannot rewrite instructions; known: local:MODEL[+ADAPTER], openai:PROFILE");
        specs.push_back(o.rewriter_spec);
    }
    check_role_systems(table, o.systems, specs);
}

void check(OptionTable& table, ConstraintsOptions& o) {
    add_mix_problem(table, "mix", o.generator.mix, o.generator.domains);
    for (const auto& [flag, file] : {std::pair("--proof", o.proof), std::pair("--report", o.report.string())})
        if (file == "-") table.add_problem(std::string(flag) + ": expected a file, got stdout");
    check_rewriter(table, o);
}

Json shares(const std::map<std::string, int64_t>& some, const std::map<std::string, int64_t>& all) {
    Json out = Json::object();
    for (const auto& [name, count] : all) {
        if (!asks_for_change(shape_from_name(name))) continue;
        const auto found = some.find(name);
        out[name] = found == some.end() ? 0.0 : static_cast<double>(found->second) / static_cast<double>(count);
    }
    return out;
}

Json report_json(const GeneratorReport& report, int64_t made, SentenceRule sentences) {
    return {{"instructions", made},
            {"sentences", sentence_rule_name(sentences)},
            {"constraints", report.constraints},
            {"shapes", report.shapes},
            {"redrawn", report.redrawn},
            {"dropped", report.dropped},
            {"violated_by_unrevised_text", report.violated_share()},
            {"violated_by_shape", shares(report.violated, report.shapes)},
            {"seconds", report.seconds},
            {"instructions_per_second", report.seconds > 0 ? static_cast<double>(made) / report.seconds : 0}};
}

GeneratorReport make_instructions(const ConstraintsOptions& o, const std::vector<SourceText>& texts,
                                  const EmitInstruction& emit) {
    const Rules rules = Rules::load(share_folder() / "rules");
    const FreeReviser revise = [&](const std::string& text, Rng& rng) {
        return free_revision(rules, text, rng, o.generator.sentences);
    };
    for (const SealedSet* set : sealed_sets())
        if (o.sealed == set->name) return make_sealed_set(*set, set->instructions, o.generator.sentences, revise, emit);
    const Wordings wordings = Wordings::load(share_folder() / "wordings" / "constraints.json");
    return generate_instructions(texts, revise, wordings, o.generator, emit);
}

// An instruction and the revision that it was proven on.
struct Made {
    Instruction instruction;
    std::string revision;
    uint64_t number = 0;  // in the order of making
};

// The instructions and their proofs, as files.
class Outputs {
public:
    explicit Outputs(const ConstraintsOptions& o) : writer_(o.output) {
        if (!o.proof.empty()) proof_.emplace(o.proof);
    }
    void write(const Instruction& instruction, const std::string& revision) {
        writer_.write(to_json(instruction));
        if (proof_ && !revision.empty()) proof_->write({{"id", instruction.id}, {"text", revision}});
        ++written_;
    }
    void close() {
        writer_.close();
        if (proof_) proof_->close();
    }
    int64_t written() const { return written_; }

private:
    JsonLinesWriter writer_;
    std::optional<JsonLinesWriter> proof_;
    int64_t written_ = 0;
};

struct Rewritten {
    std::vector<Made> made;
    RewritingReport report;
    Json usage;
    bool is_complete = true;  // false: answers of some are in a batch file
};

// Asks for all of them, many at once; they come back in their order.
Rewritten rewrite_all(const ConstraintsOptions& o, const CommonOptions& common, std::vector<Made> made) {
    AskingRun asking(o.systems, o.flow, open_placement(common), common.seed);
    RewriterOptions rewriting = o.rewriting;
    rewriting.sentences = o.generator.sentences;
    const InstructionRewriter rewriter(asking.open(o.rewriter_spec, "rewriter"), PromptFiles(o.prompts), rewriting);
    Rewritten all;
    size_t next = 0;
    all.is_complete = asking.run<Made, RewrittenInstruction>(
        {"rewriting", "instructions", made.size()},
        [&] { return next < made.size() ? std::optional(std::move(made[next++])) : std::nullopt; },
        [&](Made& one) { return rewriter.rewrite(one.instruction, one.number); },
        [&](Made& one, std::optional<RewrittenInstruction>& answer) {
            if (!answer) return;
            all.report.add(*answer);
            one.instruction = with_wording(std::move(one.instruction), *answer);
            all.made.push_back(std::move(one));
        },
        [] {});
    all.usage = asking.usage();
    return all;
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
    options.generator.count = options.count;
    options.generator.seed = common.seed;

    std::vector<SourceText> texts;
    if (!options.sealed) texts = read_source_texts(options.texts, options.revisions, options.lines);
    Outputs outputs(options);
    std::vector<Made> made;  // that are still to be rewritten
    const auto report = make_instructions(options, texts, [&](Instruction&& instruction, const std::string& revision) {
        if (options.rewriter.empty())
            outputs.write(instruction, revision);
        else
            made.push_back({std::move(instruction), revision, made.size()});
    });
    if (outputs.written() == 0 && made.empty())
        throw Error(options.texts, "texts that constraints can be read from",
                    "none of " + std::to_string(texts.size()) + dropped_note(report.dropped),
                    "texts need a few sentences each");
    std::optional<Rewritten> rewritten;
    if (!options.rewriter.empty()) {
        rewritten = rewrite_all(options, common, std::move(made));
        if (!rewritten->is_complete) return 0;
        for (const Made& one : rewritten->made) outputs.write(one.instruction, one.revision);
    }
    outputs.close();
    Json summary = report_json(report, outputs.written(), options.generator.sentences);
    if (rewritten) {
        summary["rewriting"] = to_json(rewritten->report);
        summary["usage"] = rewritten->usage;
    }
    if (!options.report.empty()) write_json_file(options.report, summary);
    summary.erase("violated_by_shape");  // too long for a line
    summary.erase("usage");
    if (!report.dropped.empty())
        log_warning("fewer instructions than requested", {{"made", outputs.written()}, {"dropped", report.dropped}});
    log_info("made instructions", summary);
    if (rewritten)
        rewritten->report.answers().require_any("answers of --rewriter",
                                                "the rows keep their wording; docs/rewriting.md says what the reasons mean");
    return 0;
}

}  // namespace

Command constraints_command() {
    return kConstraintsCommand;
}

}  // namespace craft
