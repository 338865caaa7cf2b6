// `score`: log-probabilities of completions, or of token ids, under a decoder or an encoder-decoder.
#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/common.h"
#include "cli/model_rows.h"
#include "cli/place.h"
#include "cli/score_pairs.h"
#include "core/rows.h"
#include "model/decoder/decoder.h"
#include "model/spec/encoder_config.h"
#include "tokenizer/plain_text.h"

namespace craft {

namespace {

struct ScoreOptions {
    std::filesystem::path model, adapter;
    Quantization quantize = Quantization::none;
    std::string input, output;
    bool ids = false;
    int64_t batch_tokens = 4096;
    JsonLinesOptions lines;
};

int run_score(int argc, const char* const* argv);

const Command kScoreCommand = {
    "score", CommandGroup::use_model, "log-probabilities of completions or of token ids",
    "craft-train score --model share/base-model --input share/examples/completions.jsonl --output scores.jsonl", run_score};

void bind(OptionTable& table, ScoreOptions& o) {
    table.add("model", o.model, "model folder").flag("--model").required();
    table.add("adapter", o.adapter, "adapter folder; empty: none").flag("--adapter");
    bind_quantize(table, o.quantize);
    table
        .add("input", o.input,
             "{\"id\",\"prompt\",\"completion\"} a line, or with --ids {\"id\",\"input_ids\"}, of an encoder-decoder "
             "{\"id\",\"source_ids\",\"target_ids\"}; - for stdin")
        .flag("--input")
        .required();
    table.add("output", o.output, "{\"id\",\"logprob\",\"tokens\",\"logprobs\"} a line, - for stdout")
        .flag("--output")
        .required();
    table.add("ids", o.ids, "rows are token ids; each from the second on is scored, of a target all").flag("--ids");
    table.add("batch_tokens", o.batch_tokens, "tokens computed at a time").flag("--batch-tokens").min(1).not_identity();
    bind_json_lines(table, o.lines);
}

// A row to compute: its tokens, those after `prompt` scored (never the first: nothing predicts it).
struct ScoreRow {
    Json id;
    std::vector<int64_t> tokens;
    size_t prompt = 0;
    size_t scored() const { return tokens.size() - std::max<size_t>(prompt, 1); }
    TokenTree tree() const {
        MaskedTokens all{tokens, std::vector<uint8_t>(tokens.size(), 0)};
        std::fill(all.counted.begin() + static_cast<std::ptrdiff_t>(std::max<size_t>(prompt, 1)), all.counted.end(),
                  uint8_t{1});
        return {{}, {std::move(all)}};
    }
};

std::vector<ScoreRow> read_rows(const ScoreOptions& options, const DecoderConfig& config) {
    std::vector<ScoreRow> rows;
    const auto tokenizer = options.ids ? nullptr : open_tokenizer(options.model);
    for_each_row(options.input, options.lines, [&](const Json& json, const std::string& where) {
        ScoreRow row{id_field(json, where), {}, 1};
        if (options.ids && json.contains("source_ids") && !json.contains("input_ids"))
            throw Error(where, "'input_ids': " + config.architecture + " is a decoder", "'source_ids'",
                        "these are for encoder-decoders");
        if (options.ids) {
            row.tokens = ids_field(json, "input_ids", config.vocab_size, where);
        } else {
            const PlainTokens tokens =
                encode_plain(*tokenizer, string_field(json, "prompt", where), string_field(json, "completion", where));
            row.tokens = tokens.tokens;
            row.prompt = tokens.prompt;
            check_ids(row.tokens, config.vocab_size, where);
            if (row.tokens.empty()) throw Error(where, "a prompt or a completion of at least one token", "none");
        }
        if (config.learned_positions && static_cast<int64_t>(row.tokens.size()) > config.max_positions)
            throw Error(where, "at most the model's " + std::to_string(config.max_positions) + " positions",
                        std::to_string(row.tokens.size()) + " tokens");
        rows.push_back(std::move(row));
    });
    return rows;
}

void score_sequences(const ScoreOptions& options, const Place& place) {
    const std::vector<ScoreRow> rows = read_rows(options, read_decoder_config(options.model));
    Decoder decoder = Decoder::load(options.model, place.dtype, place.device, options.quantize);
    if (!options.adapter.empty()) decoder.load_adapter(options.adapter, /*trainable=*/false);
    std::vector<int64_t> sizes;
    for (const ScoreRow& row : rows) sizes.push_back(static_cast<int64_t>(row.tokens.size()));
    JsonLinesWriter writer(options.output);
    const at::NoGradGuard no_gradients;
    for_each_batch("scoring", sizes, options.batch_tokens, [&](size_t begin, size_t end) {
        std::vector<TokenTree> trees;
        for (size_t i = begin; i < end; ++i) trees.push_back(rows[i].tree());
        const at::Tensor all =
            target_logprobs(decoder, pack(trees, decoder.device())).to(at::kCPU, at::kDouble).contiguous();
        const double* next = all.const_data_ptr<double>();
        for (size_t i = begin; i < end; ++i) {
            writer.write(scores_line(rows[i].id, next, rows[i].scored(), options.ids));
            next += rows[i].scored();
        }
    });
    writer.close();
}

int run_score(int argc, const char* const* argv) {
    CommonOptions common;
    ScoreOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kScoreCommand, table, common, argc, argv)) return 0;
    const Place place = open_place(common);
    switch (model_kind(options.model)) {
        case ModelKind::decoder:
            score_sequences(options, place);
            return 0;
        case ModelKind::encoder_decoder:
            if (options.quantize != Quantization::none)
                throw UsageError("--quantize: decoders can be held in few bits, " + options.model.string() +
                                 " is an encoder-decoder");
            if (!options.adapter.empty())
                throw UsageError("--adapter: adapters of decoders are supported, " + options.model.string() +
                                 " is an encoder-decoder");
            score_pairs({options.model, options.input, options.output, options.ids, options.batch_tokens, options.lines},
                        place);
            return 0;
        case ModelKind::encoder:
            break;
    }
    throw Error(options.model.string(), "a decoder or an encoder-decoder", "an encoder",
                "craft-train embed gives its states and the score of a regression head");
}

}  // namespace

Command score_command() {
    return kScoreCommand;
}

}  // namespace craft
