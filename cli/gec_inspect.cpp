// `gec inspect`: what the grammar tools say of sentences (GEC-Agent §3.2).
#include "cli/command.h"
#include "cli/common.h"
#include "cli/grammar_tool_options.h"
#include "core/flow.h"
#include "core/rows.h"
#include "text/text_lines.h"

namespace craft {

namespace {

struct GecInspectOptions {
    std::string input, output = "-", tool = "all", format = "text";
    GrammarToolSettings tools;
    JsonLinesOptions lines;
};

void bind(OptionTable& table, GecInspectOptions& o) {
    table
        .add("input", o.input,
             "sentences: FILE.jsonl with {\"id\",\"text\"} per line, any other file with a sentence per line, - for stdin "
             "with such lines")
        .flag("--input")
        .input()
        .required();
    std::vector<std::string> tools = GrammarTools::names();
    tools.emplace_back("all");
    table.add("tool", o.tool, "whose findings are shown").flag("--tool").one_of(tools);
    table.add("format", o.format, "text: as a model reads it; json: {\"id\",\"text\",TOOL:...} per line")
        .flag("--format")
        .one_of({"text", "json"});
    table.add("output", o.output, "- for stdout").flag("--output").output();
    bind_grammar_tools(table, o.tools);
    bind_json_lines(table, o.lines);
}

struct InspectedSentence {
    Json id;
    std::string text;
};

std::vector<InspectedSentence> read_inspected(const GecInspectOptions& options) {
    std::vector<InspectedSentence> sentences;
    if (!options.input.ends_with(".jsonl")) {
        for (std::string& line : split_text_lines(read_text(options.input), options.input))
            sentences.push_back({std::to_string(sentences.size() + 1), std::move(line)});
        return sentences;
    }
    JsonLinesReader reader(options.input, options.lines);
    const auto read = [](const Json& row, const std::string& where) {
        return InspectedSentence{id_text(row, where), string_field(row, "text", where)};
    };
    while (auto sentence = next_fit(reader, read)) sentences.push_back(std::move(*sentence));
    return sentences;
}

std::string inspected_text(GrammarTools& tools, const std::vector<std::string>& names, const InspectedSentence& sentence) {
    std::string out = "# " + sentence.text + "\n";
    for (const std::string& name : names) out += name + ":\n" + tools.text(name, sentence.text) + "\n";
    return out + "\n";
}

std::string inspected_row(GrammarTools& tools, const std::vector<std::string>& names, const InspectedSentence& sentence) {
    Json row = {{"id", sentence.id}, {"text", sentence.text}};
    for (const std::string& name : names) row[name] = tools.json(name, sentence.text);
    return dump_line(row) + "\n";
}

int run_gec_inspect(int argc, const char* const* argv);

const Command kGecInspectCommand = {
    "gec inspect", CommandGroup::revise_and_judge, "what the grammar tools report on sentences",
    "craft-train gec inspect --input share/examples/learners.txt --tool error_parsing", run_gec_inspect};

int run_gec_inspect(int argc, const char* const* argv) {
    CommonOptions common;
    GecInspectOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kGecInspectCommand, table, common, argc, argv)) return 0;

    const std::vector<InspectedSentence> sentences = read_inspected(options);
    if (sentences.empty()) throw Error(options.input, "at least one sentence", "none");
    const auto tools = open_grammar_tools(options.tools);
    const std::vector<std::string> names =
        options.tool == "all" ? GrammarTools::names() : std::vector<std::string>{options.tool};
    OutputFile output(options.output);
    const auto say = options.format == "json" ? inspected_row : inspected_text;
    size_t next = 0;
    Flow flow({.items_at_once = options.tools.workers, .items_ahead = 64});
    flow.run<const InspectedSentence*, std::string>(
        [&]() -> std::optional<const InspectedSentence*> {
            return next < sentences.size() ? std::optional(&sentences[next++]) : std::nullopt;
        },
        [&](const InspectedSentence*& sentence) { return say(*tools, names, *sentence); },
        [&](const InspectedSentence*&, std::string& said) { output.write(said); });
    output.close();
    log_info("grammar tools", tools->counts().to_json());
    return 0;
}

}  // namespace

Command gec_inspect_command() {
    return kGecInspectCommand;
}

}  // namespace craft
