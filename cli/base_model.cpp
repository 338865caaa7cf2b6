// `base-model`: the small model that ships with the project, from the project's own texts.
#include "align/base_model.h"

#include <algorithm>
#include <sstream>

#include "cli/command.h"
#include "cli/common.h"
#include "constraints/source_texts.h"
#include "constraints/wordings.h"
#include "core/files.h"
#include "core/json.h"
#include "core/log.h"

namespace craft {

namespace {

int run_base_model(int argc, const char* const* argv);

const Command kBaseModelCommand = {"base-model", CommandGroup::train, "make the small base model from plain texts",
                                   "craft-train base-model --texts share/texts/train.jsonl --out runs/base", run_base_model};

// The project's own prompts, and its wordings but for those of development sets.
std::vector<std::string> spellings() {
    std::vector<std::string> lines;
    for (const auto& entry : std::filesystem::directory_iterator(share_folder() / "prompts")) {
        std::istringstream text(read_file(entry.path()));
        for (std::string line; std::getline(text, line);)
            if (!line.empty()) lines.push_back(line);
    }
    std::sort(lines.begin(), lines.end());  // folders list their files in any order
    const Wordings wordings = Wordings::load(share_folder() / "wordings" / "constraints.json");
    std::vector<std::string> alternatives;
    const auto add = [&](const std::vector<Wording>& all) {
        for (const Wording* wording : allowed(all, Split::train)) {
            lines.push_back(wording->texts.front());
            alternatives.insert(alternatives.end(), wording->texts.begin() + 1, wording->texts.end());
        }
    };
    for (size_t shape = 0; shape < kShapes; ++shape) add(wordings.of(static_cast<Shape>(shape)));
    add(wordings.of(Part::openers));
    add(wordings.of(Part::ensure));
    std::vector<std::string> often = alternatives;  // the rest often enough for their phrases to become single tokens
    for (int i = 0; i < 40; ++i) often.insert(often.end(), lines.begin(), lines.end());
    return often;
}

void report_exercises(const std::filesystem::path& folder, const std::vector<std::string>& texts, uint64_t seed) {
    constexpr int64_t kConversations = 1000;
    Json report;
    for (const auto& [kind, score] : score_exercises(folder / "model", texts, kConversations, seed))
        report[kind] = {{"asked", score.asked}, {"right", score.right}};
    write_json_file(folder / "exercises.json", report);
    log_info("exercises on held-out texts", report);
}

void check(OptionTable& table, const CommonOptions& common, const BaseModelOptions& options) {
    check_one_stdin(table, {"texts", "held_out"});
    if (common.device.starts_with("cuda"))
        table.add_problem("--device: base-model works on the CPU; expected auto or cpu, got " + common.device);
    if (common.dtype == "bfloat16")
        table.add_problem("--dtype: base-model trains in float32; expected auto or float32, got bfloat16");
    const Option* width = table.find("model.hidden_size");
    if (width->check().empty() && options.config.hidden_size % 64 != 0)
        table.add_problem(width->shown_name() + ": expected a multiple of 64, got " +
                          std::to_string(options.config.hidden_size));
}

int run_base_model(int argc, const char* const* argv) {
    CommonOptions common;
    BaseModelOptions options = default_base_model_options();
    std::string texts, held_out;
    JsonLinesOptions lines;
    OptionTable table;
    table.add("texts", texts, "training texts: {\"id\",\"text\"} a line").flag("--texts").required();
    table.add("held_out", held_out, "texts for a score of the exercises, apart from the training texts: exercises.json")
        .flag("--held-out");
    table.add("vocabulary", options.vocabulary, "tokens of the tokenizer").flag("--vocab-size").min(300);
    table.add("exercises", options.exercises, "reading exercises to train on, each seen once an epoch")
        .flag("--exercises")
        .min(1);
    table.add("model.hidden_size", options.config.hidden_size, "width, a multiple of 64").min(64);
    table.add("model.intermediate_size", options.config.intermediate_size, "width of the feed-forward part").min(8);
    table.add("model.layers", options.config.layers, "layers").min(2);
    table.add("train.lr", options.train.lr, "peak learning rate").flag("--lr").min(0);
    table.add("train.epochs", options.train.epochs, "passes over the exercises").flag("--epochs").min(1);
    table.add("train.batch_size", options.train.batch_size, "exercises of an optimiser step").flag("--batch-size").min(1);
    bind_json_lines(table, lines);
    bind_run(table, common);
    if (!parse_command(kBaseModelCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, common, options); }))
        return 0;
    options.seed = common.seed;
    CommonOptions used = common;  // "auto" is this here, whatever the machine has
    used.device = "cpu";
    used.dtype = "float32";
    std::vector<std::filesystem::path> inputs = {texts};
    if (!held_out.empty()) inputs.emplace_back(held_out);
    RunFolder run = open_run(kBaseModelCommand, table, used, inputs);
    if (run.finished()) return 0;
    int64_t bad_lines = 0;
    lines.bad_lines = &bad_lines;
    const auto read = [&](const std::string& path) {
        std::vector<std::string> plain;
        for (const SourceText& text : read_source_texts(path, "", lines)) plain.push_back(text.text);
        return plain;
    };
    const std::vector<std::string> held_out_texts = held_out.empty() ? std::vector<std::string>() : read(held_out);
    const std::vector<std::string> training_texts = read(texts);
    if (bad_lines > 0) run.set_dropped("bad line", bad_lines);
    run.save_manifest();
    run.replace_former();
    make_base_model(training_texts, spellings(), options, run.path());
    if (!held_out_texts.empty()) report_exercises(run.path(), held_out_texts, options.seed);
    run.finish();
    return 0;
}

}  // namespace

Command base_model_command() {
    return kBaseModelCommand;
}

}  // namespace craft
