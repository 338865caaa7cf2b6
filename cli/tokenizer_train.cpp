// `tokenizer train`: a sentencepiece tokenizer from texts, ready to stand in a model folder.
#include "cli/command.h"
#include "cli/common.h"
#include "core/metrics.h"
#include "core/rows.h"
#include "model/tokenizer/train_tokenizer.h"

namespace craft {

namespace {

struct TokenizerTrainOptions {
    std::string texts;
    TokenizerTraining training;
    JsonLinesOptions lines;
};

int run_tokenizer_train(int argc, const char* const* argv);

const Command kTokenizerTrainCommand = {
    "tokenizer train", CommandGroup::make_data, "a tokenizer from texts",
    "craft-train tokenizer train --texts share/texts/train.jsonl --vocab-size 2000 --model bpe "
    "--out runs/tokenizer",
    run_tokenizer_train};

void bind(OptionTable& table, TokenizerTrainOptions& o) {
    table.add("texts", o.texts, "texts to learn from: {\"text\"} per line, - for stdin").flag("--texts").input().required();
    table.add("vocabulary", o.training.vocabulary_size, "tokens, 6 special ones and 256 bytes among them")
        .flag("--vocab-size")
        .min(kSmallestVocabulary)
        .max(kLargestVocabulary);
    table
        .add_enum("model", o.training.model, {{"bpe", TokenizerModel::bpe}, {"unigram", TokenizerModel::unigram}},
                  "how pieces are chosen: merges of frequent pairs, or a unigram language model")
        .flag("--model");
    table
        .add("symbols", o.training.symbols,
             "spellings that become single tokens wherever they occur (JSON list for those with commas)")
        .flag("--symbols");
    bind_json_lines(table, o.lines);
}

void check(OptionTable& table, const TokenizerTrainOptions& o) {
    if (const std::string problem = symbols_problem(o.training.symbols); !problem.empty())
        table.add_problem("--symbols: " + problem);
}

std::optional<std::string> next_text(JsonLinesReader& reader) {
    return next_fit(reader, [](const Json& row, const std::string& where) { return string_field(row, "text", where); });
}

int run_tokenizer_train(int argc, const char* const* argv) {
    CommonOptions common;
    TokenizerTrainOptions options;
    OptionTable table;
    bind(table, options);
    bind_run(table, common);
    if (!parse_command(kTokenizerTrainCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); }))
        return 0;
    RunFolder run = open_run(kTokenizerTrainCommand, table, common);
    if (run.finished()) return 0;
    JsonLinesReader reader(options.texts, options.lines);
    int64_t texts = 0;
    const TextSource source = [&] {
        auto text = next_text(reader);
        if (!text && texts == 0) throw Error(options.texts, "at least one text", "none");
        texts += text ? 1 : 0;
        return text;
    };
    train_tokenizer(source, options.training, run.path());
    if (reader.bad_lines() > 0) run.set_dropped("bad line", reader.bad_lines());
    run.note("texts", texts);
    MetricsLog(run.path() / "metrics.jsonl", run.path() / "tb", "tokenizer", -1)
        .write(0, {{"texts", texts}, {"tokens", options.training.vocabulary_size}});
    run.finish();
    log_info("trained a tokenizer",
             {{"texts", texts}, {"tokens", options.training.vocabulary_size}, {"folder", run.path().string()}});
    return 0;
}

}  // namespace

Command tokenizer_train_command() {
    return kTokenizerTrainCommand;
}

}  // namespace craft
