// `constraints`: instructions with constraints that a revision is proven to meet (CRAFT §3).
#include <algorithm>

#include "cli/command.h"
#include "cli/common.h"
#include "constraints/generator.h"
#include "constraints/sealed_sets.h"
#include "constraints/source_texts.h"
#include "constraints/values.h"
#include "core/files.h"
#include "rules/free_revision.h"

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
    JsonLinesOptions lines;
};

std::vector<std::string> sealed_set_names() {
    std::vector<std::string> names;
    for (const SealedSet* set : sealed_sets()) names.push_back(set->name);
    return names;
}

void bind(OptionTable& table, ConstraintsOptions& o) {
    table.add("texts", o.texts, "texts to write instructions for: {\"id\",\"text\"} a line, - for stdin")
        .flag("--texts")
        .required();
    table
        .add(
            "sealed", o.sealed,
            "in place of --texts: this sealed evaluation set, as every run makes it; for evaluation alone (docs/shipped.md)")
        .flag("--sealed")
        .one_of(sealed_set_names());
    table.add("revisions", o.revisions, "revised versions to read values from, same form and ids; none: written by rules")
        .flag("--revisions");
    table.add("output", o.output, "instructions, JSON Lines, - for stdout").flag("--output").required();
    bind_domains(table, "domain", o.generator.domains, "domains to make in turn: c0 (no constraint) to c4 (four)")
        .flag("--domain");
    table.add("count", o.count, "number of instructions").flag("--count").min(1);
    table.add("every_text", o.generator.every_text, "each text once in each domain, in their order, instead of --count")
        .flag("--every-text");
    bind_mix(table, "mix", o.generator.mix).flag("--mix");
    table
        .add_enum("split", o.generator.split, {{"all", Split::all}, {"train", Split::train}, {"dev", Split::dev}},
                  "wordings and values to use; train and dev share none, and none with sealed sets")
        .flag("--split");
    bind_sentences(table, o.generator.sentences);
    table.add("report", o.report, "JSON file for the counts of shapes, redraws and drops; empty: none").flag("--report");
    table.add("proof", o.proof, "revisions that meet all constraints, {\"id\",\"text\"} a line for eval cord; empty: none")
        .flag("--proof");
    bind_json_lines(table, o.lines);
}

bool is_same_place(const fs::path& a, const fs::path& b) {
    std::error_code code;
    return !a.empty() && a != "-" && fs::weakly_canonical(a, code) == fs::weakly_canonical(b, code);
}

// What is written takes the place of nothing else that this run reads or writes.
void check_own_files(OptionTable& table, const ConstraintsOptions& o) {
    const std::vector<std::pair<std::string, std::string>> files = {{"--texts", o.texts},
                                                                    {"--revisions", o.revisions},
                                                                    {"--output", o.output},
                                                                    {"--proof", o.proof},
                                                                    {"--report", o.report}};
    for (size_t i = 2; i < files.size(); ++i) {
        const auto& [flag, file] = files[i];
        if (file == "-" && flag != "--output") table.add_problem(flag + ": expected a file of its own, got stdout");
        for (size_t k = 0; k < i; ++k)
            if (is_same_place(file, files[k].second))
                table.add_problem(flag + ": expected a file of its own, got that of " + files[k].first);
    }
}

void check(OptionTable& table, ConstraintsOptions& o) {
    if (o.sealed) table.find("texts")->is_required = false;
    for (const char* key : {"texts", "revisions", "domain", "count", "every_text", "mix", "split"})
        if (const Option* option = table.find(key); o.sealed && option->is_given)
            table.add_problem(option->shown_name() + ": has no effect with --sealed, which is always the same set");
    if (o.generator.every_text && table.find("count")->is_given)
        table.add_problem("--every-text and --count: only one of them");
    add_mix_problem(table, "mix", o.generator.mix, o.generator.domains);
    check_own_files(table, o);
    check_one_stdin(table, {"texts", "revisions"});
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

int run_constraints(int argc, const char* const* argv);

const Command kConstraintsCommand = {
    "constraints", CommandGroup::make_data, "make instructions with constraints from texts",
    "craft-train constraints --texts share/texts/train.jsonl --count 100 --output instructions.jsonl", run_constraints};

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
    JsonLinesWriter writer(options.output);
    std::optional<JsonLinesWriter> proof;
    if (!options.proof.empty()) proof.emplace(options.proof);
    int64_t made = 0;
    const auto report = make_instructions(options, texts, [&](Instruction&& instruction, const std::string& revision) {
        writer.write(to_json(instruction));
        if (proof && !revision.empty()) proof->write({{"id", instruction.id}, {"text", revision}});
        ++made;
    });
    if (made == 0)
        throw Error(options.texts, "texts that constraints can be read from",
                    "none of " + std::to_string(texts.size()) + dropped_note(report.dropped),
                    "texts need a few sentences each");
    writer.close();
    if (proof) proof->close();
    Json summary = report_json(report, made, options.generator.sentences);
    if (!options.report.empty()) write_json_file(options.report, summary);
    summary.erase("violated_by_shape");  // too long for a line
    if (!report.dropped.empty())
        log_warning("fewer instructions than asked for", {{"made", made}, {"dropped", report.dropped}});
    log_info("made instructions", summary);
    return 0;
}

}  // namespace

Command constraints_command() {
    return kConstraintsCommand;
}

}  // namespace craft
