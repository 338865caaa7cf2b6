// `language-model`: the small model that ships to measure perplexity with, from the project's own texts.
#include "align/language_model.h"

#include "cli/command.h"
#include "cli/common.h"
#include "constraints/source_texts.h"
#include "core/log.h"

namespace craft {

namespace {

int run_language_model(int argc, const char* const* argv);

const Command kLanguageModelCommand = {
    "language-model", CommandGroup::train, "make the small model that measures perplexity",
    "craft-train language-model --texts share/texts/train.jsonl --tokenizer share/base-model "
    "--out runs/language-model",
    run_language_model};

int run_language_model(int argc, const char* const* argv) {
    CommonOptions common;
    std::string texts;
    std::filesystem::path tokenizer;
    JsonLinesOptions lines;
    OptionTable table;
    table.add("texts", texts, "training texts: {\"id\",\"text\"} a line; the last tenth chooses the epoch")
        .flag("--texts")
        .required();
    table.add("tokenizer", tokenizer, "folder of a tokenizer").flag("--tokenizer").required();
    bind_json_lines(table, lines);
    bind_run(table, common);
    const auto check = [&](OptionTable& t) {
        if (common.device.starts_with("cuda"))
            t.add_problem("--device: language-model works on the CPU; expected auto or cpu, got " + common.device);
        if (common.dtype == "bfloat16")
            t.add_problem("--dtype: language-model trains in float32; expected auto or float32, got bfloat16");
    };
    if (!parse_command(kLanguageModelCommand, table, common, argc, argv, check)) return 0;
    common.device = "cpu";
    common.dtype = "float32";
    RunFolder run = open_run(kLanguageModelCommand, table, common, {texts, tokenizer});
    if (run.finished()) return 0;
    int64_t bad_lines = 0;
    lines.bad_lines = &bad_lines;
    std::vector<std::string> plain;
    for (const SourceText& text : read_source_texts(texts, "", lines)) plain.push_back(text.text);
    if (bad_lines > 0) run.set_dropped("bad line", bad_lines);
    run.save_manifest();
    run.replace_former();
    const double perplexity = make_language_model(plain, tokenizer, common.seed, run.path());
    run.note("perplexity", perplexity);
    run.finish();
    log_info("made the language model", {{"folder", (run.path() / "model").string()}, {"perplexity", perplexity}});
    return 0;
}

}  // namespace

Command language_model_command() {
    return kLanguageModelCommand;
}

}  // namespace craft
