// `base-model`: the small model that ships with the project, from the project's own texts.
#include "align/base_model.h"

#include <algorithm>
#include <sstream>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/place.h"
#include "core/files.h"
#include "data/source_texts.h"
#include "data/wordings.h"

namespace craft {

namespace {

int run(int argc, const char* const* argv);

const Command kCommand = {"base-model", CommandGroup::train, "make the small base model from plain texts",
                          "craft-train base-model --texts share/texts/train.jsonl --out runs/base", run};

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
    const auto add = [&](const std::vector<Wording>& all) {
        for (const Wording* wording : allowed(all, Split::train)) lines.push_back(wording->text);
    };
    for (size_t shape = 0; shape < kShapes; ++shape) add(wordings.of(static_cast<Shape>(shape)));
    add(wordings.openers());
    add(wordings.ensure());
    std::vector<std::string> often;  // so that their phrases become single tokens
    for (int i = 0; i < 40; ++i) often.insert(often.end(), lines.begin(), lines.end());
    return often;
}

int run(int argc, const char* const* argv) {
    CommonOptions common;
    BaseModelOptions options = default_base_model_options();
    std::string texts;
    JsonLinesOptions lines;
    OptionTable table;
    table.add("texts", texts, "training texts: {\"id\",\"text\"} a line").flag("--texts").required();
    table.add("vocabulary", options.vocabulary, "tokens of the tokenizer").flag("--vocab-size").min(300);
    table.add("exercises", options.exercises, "reading exercises to train on, each seen once an epoch")
        .flag("--exercises")
        .min(1);
    table.add("model.hidden_size", options.config.hidden_size, "width").min(8);
    table.add("model.intermediate_size", options.config.intermediate_size, "width of the feed-forward part").min(8);
    table.add("model.layers", options.config.layers, "layers").min(1);
    table.add("train.lr", options.train.lr, "peak learning rate").flag("--lr").min(0);
    table.add("train.epochs", options.train.epochs, "passes over the exercises").flag("--epochs").min(1);
    table.add("train.batch_size", options.train.batch_size, "exercises of an optimiser step").flag("--batch-size").min(1);
    bind_run(table, common);
    if (!parse_command(kCommand, table, common, argc, argv)) return 0;
    options.seed = common.seed;
    open_place(common);
    RunFolder run = open_run(kCommand, table, common, {texts});
    if (run.finished()) return 0;
    std::vector<std::string> plain;
    for (const SourceText& text : read_source_texts(texts, "", lines)) plain.push_back(text.text);
    make_base_model(plain, spellings(), options, run.path());
    run.finish();
    return 0;
}

}  // namespace

Command base_model_command() {
    return kCommand;
}

}  // namespace craft
