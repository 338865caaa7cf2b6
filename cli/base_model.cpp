// `base-model`: the small model that ships with the project, from the project's own texts.
#include "align/base_model.h"

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/place.h"
#include "core/files.h"
#include "data/source_texts.h"

namespace craft {

namespace {

int run(int argc, const char* const* argv);

const Command kCommand = {"base-model", CommandGroup::train, "make the small base model from plain texts",
                          "craft-train base-model --texts share/texts/train.jsonl --out runs/base", run};

// Lines of the project's own prompts and wordings.
std::vector<std::string> spellings() {
    std::vector<std::string> lines;
    for (const char* folder : {"prompts", "wordings"})
        for (const auto& entry : std::filesystem::directory_iterator(share_folder() / folder)) {
            const std::string text = read_file(entry.path());
            for (size_t at = 0; at < text.size();) {
                const size_t end = std::min(text.find('\n', at), text.size());
                // Often enough that their phrases become single tokens.
                if (end > at) lines.insert(lines.end(), 4, text.substr(at, end - at));
                at = end + 1;
            }
        }
    std::sort(lines.begin(), lines.end());  // folders list their files in any order
    return lines;
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
