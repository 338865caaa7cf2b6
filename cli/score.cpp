// `score`: log-probabilities of completions, or of token ids, under a decoder or an encoder-decoder.
#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include <algorithm>

#include "cli/adapter_option.h"
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/model_rows.h"
#include "cli/option_groups.h"
#include "cli/placement.h"
#include "cli/ranks.h"
#include "cli/score_pairs.h"
#include "core/rows.h"
#include "model/chat/prompt_rows.h"
#include "model/decoder/decoder.h"
#include "model/spec/encoder_config.h"

namespace craft {

namespace {

struct ScoreOptions {
    std::filesystem::path model, adapter;
    Quantization quantize = Quantization::none;
    std::string input, output;
    bool ids = false;
    int64_t batch_tokens = 4096;
    ChatOptions chat;
    JsonLinesOptions lines;
};

int run_score(int argc, const char* const* argv);

const Command kScoreCommand = {"score", CommandGroup::use_model, "log-probabilities of completions or of token ids",
                               "craft-train score --model weights/smollm2-135m-instruct.gguf --input "
                               "share/examples/completions.jsonl --output scores.jsonl",
                               run_score};

void bind(OptionTable& table, CommonOptions& common, ScoreOptions& o) {
    const auto data = table.group(kDataGroup);
    bind_own_model(table, o.model);
    bind_adapter(table, o.adapter, "empty: none");
    bind_quantize(table, o.quantize);
    table
        .add("input", o.input,
             "{\"id\",\"prompt\",\"completion\"} or {\"id\",\"messages\"} per line, or with --ids {\"id\",\"input_ids\"}, "
             "of an encoder-decoder {\"id\",\"source_ids\",\"target_ids\"}; - for stdin")
        .flag("--input")
        .input()
        .required();
    table
        .add("output", o.output,
             "{\"id\",\"logprob\",\"tokens\",\"logprobs\"} per line, {\"id\",\"failed\",\"error\"} of one that is too long, "
             "- for stdout")
        .flag("--output")
        .output()
        .resumed()
        .required();
    table.add("ids", o.ids, "rows are token ids; every token after the first is scored, or all of a target").flag("--ids");
    table.add("batch_tokens", o.batch_tokens, "tokens per batch").flag("--batch-tokens").min(1).not_identity();
    bind_chat(table, o.chat);
    for (const char* key : {"chat_template", "allow_special"}) table.at(key).excludes("ids");
    bind_json_lines(table, o.lines);
    bind_ranks(table, common);
}

// A row to compute, or one that fails.
struct ScoreRow {
    Json id;
    ScoredTokens tokens;
    bool fails() const { return !tokens.problem.empty(); }
    int64_t size() const { return std::ssize(tokens.source) + std::ssize(tokens.tokens); }
    size_t scored() const { return static_cast<size_t>(std::count(tokens.scored.begin(), tokens.scored.end(), uint8_t{1})); }
};

std::vector<ScoreRow> read_rows(const ScoreOptions& options, const DecoderConfig& config) {
    std::vector<ScoreRow> rows;
    PromptRows reader({.model = options.model,
                       .chat = options.chat,
                       .input = options.input,
                       .ids = options.ids,
                       .vocabulary = config.vocab_size,
                       .positions = config.max_positions,
                       .start_token = config.start_token});
    for_each_row(options.input, options.lines, [&](const Json& row, const std::string& where) {
        if (options.ids && !config.is_encoder_decoder() && row.contains("source_ids") && !row.contains("input_ids"))
            throw Error(where, "'input_ids': " + config.architecture + " is a decoder", "'source_ids'",
                        "these are for encoder-decoders");
        rows.push_back({id_field(row, where), reader.scored(row, where)});
    });
    reader.finish();
    return rows;
}

void score_sequences(const ScoreOptions& options, const Placement& place, PartialRows& partial) {
    const std::vector<ScoreRow> rows = read_rows(options, read_decoder_config(options.model));
    Decoder decoder = Decoder::load(options.model, place.dtype, place.device, options.quantize);
    if (!options.adapter.empty()) decoder.load_adapter(options.adapter, /*trainable=*/false);
    std::vector<int64_t> sizes;
    for (const ScoreRow& row : rows) sizes.push_back(row.fails() ? 0 : row.size());
    const at::NoGradGuard no_gradients;
    const auto score_some = [&](const std::vector<size_t>& items, const RowSink& done) {
        std::vector<TokenTree> trees;
        for (const size_t i : items) {
            if (rows[i].fails())
                done(i, failed_row(rows[i].id, rows[i].tokens.problem));
            else
                trees.push_back({rows[i].tokens.source, {{rows[i].tokens.tokens, rows[i].tokens.scored}}});
        }
        if (trees.empty()) return;
        const at::Tensor all =
            target_logprobs(decoder, pack(trees, decoder.device())).to(at::kCPU, at::kDouble).contiguous();
        const double* next = all.const_data_ptr<double>();
        for (const size_t i : items) {
            if (rows[i].fails()) continue;
            done(i, scores_line(rows[i].id, next, rows[i].scored(), options.ids));
            next += rows[i].scored();
        }
    };
    JsonLinesWriter writer(own_output(options.output, partial.ranks()));
    if (!make_rows({"scoring", "rows", groups_by_tokens(sizes, options.batch_tokens), score_some, 1}, partial,
                   [&](const Json& line) { writer.write(line); }))
        return;
    writer.close();
    partial.remove();
}

void score_rows(const OptionTable& table, const CommonOptions& common, const ScoreOptions& options, Ranks& ranks) {
    const Placement place = open_placement(common);
    const ModelKind kind = model_kind(options.model);
    PartialRows partial(options.output, rows_identity(kScoreCommand, table, common, place), common.overwrite, ranks);
    switch (kind) {
        case ModelKind::decoder:
            score_sequences(options, place, partial);
            return;
        case ModelKind::encoder_decoder:
            if (options.quantize != Quantization::none)
                throw UsageError("--quantize: not of BART, which " + options.model.string() + " is");
            if (!options.adapter.empty())
                throw UsageError("--adapter: adapters of BART are not supported, which " + options.model.string() + " is");
            score_pairs({options.model, options.input, options.output, options.ids, options.batch_tokens, options.lines},
                        place, partial);
            return;
        case ModelKind::encoder:
            break;
    }
    throw Error(options.model.string(), "a decoder or an encoder-decoder", "an encoder",
                "craft-train embed gives its states and the score of a regression head");
}

int run_score(int argc, const char* const* argv) {
    CommonOptions common;
    ScoreOptions options;
    OptionTable table;
    bind(table, common, options);
    if (!parse_command(kScoreCommand, table, common, argc, argv)) return 0;
    return in_ranks(table, common, [&](ProcessGroup& ranks) { score_rows(table, common, options, ranks); });
}

}  // namespace

Command score_command() {
    return kScoreCommand;
}

}  // namespace craft
