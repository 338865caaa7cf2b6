// `embed`: the last layer of an encoder for each row, or what its regression head gives.
#include <torch/types.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/model_rows.h"
#include "core/rows.h"
#include "model/encoder/encoder.h"
#include "model/tokenizer/plain_text.h"

namespace craft {

namespace {

struct EmbedOptions {
    std::filesystem::path model;
    std::string input, output;
    bool ids = false, states = false;
    int64_t batch_tokens = 8192;
    JsonLinesOptions lines;
};

int run_embed(int argc, const char* const* argv);

const Command kEmbedCommand = {
    "embed", CommandGroup::use_model, "hidden states of an encoder's last layer, or its regression head's score",
    "craft-train embed --model share/examples/encoder --input share/examples/sentences.jsonl --output -", run_embed};

void bind(OptionTable& table, EmbedOptions& o) {
    bind_own_model(table, o.model, "BERT, RoBERTa or BART (its encoder)");
    table
        .add("input", o.input,
             "{\"id\",\"text\"} per line, or with --ids {\"id\",\"input_ids\",\"attention_mask\",\"token_type_ids\"}, the "
             "last two if wanted; - for stdin")
        .flag("--input")
        .input()
        .required();
    table
        .add("output", o.output,
             "{\"id\",\"hidden\"} (token by feature) per line, {\"id\",\"score\"} from a regression head; - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .required();
    table.add("ids", o.ids, "rows are token ids").flag("--ids");
    table.add("hidden", o.states, "write hidden states even if there is a regression head").flag("--hidden");
    table.add("batch_tokens", o.batch_tokens, "tokens per batch").flag("--batch-tokens").min(1).not_identity();
    bind_json_lines(table, o.lines);
}

struct EmbedRow {
    Json id;
    EncoderRow tokens;
};

std::vector<EmbedRow> read_rows(const EmbedOptions& options, const EncoderConfig& config) {
    std::vector<EmbedRow> rows;
    const auto tokenizer = options.ids ? nullptr : open_tokenizer(options.model);
    for_each_row(options.input, options.lines, [&](const Json& json, const std::string& where) {
        EmbedRow row{id_field(json, where), {}};
        if (options.ids)
            row.tokens = encoder_row_field(json, "input_ids", config.vocab_size, where);
        else
            row.tokens.ids = encode_whole(*tokenizer, string_field(json, "text", where));
        check_row(config, row.tokens, where);
        rows.push_back(std::move(row));
    });
    return rows;
}

// The shortest digits that are read as the same float32.
void append_number(std::string& line, float value) {
    char digits[32];
    line.append(digits, std::to_chars(std::begin(digits), std::end(digits), value).ptr);
}

// One line; Json would hold every number in 16 bytes and print the digits of a double.
std::string line_of(const Json& id, const std::string& key, const at::Tensor& values) {
    const at::Tensor all = values.to(at::kCPU, at::kFloat).contiguous();
    if (!at::isfinite(all).all().item<bool>())
        throw Error("row " + id.dump(), "finite numbers", "others", "the weights are broken");
    const float* next = all.const_data_ptr<float>();
    std::string line = "{\"id\":" + dump_line(id) + ",\"" + key + "\":";
    if (all.dim() == 0) append_number(line, *next);
    for (int64_t t = 0; all.dim() == 2 && t < all.size(0); ++t) {
        line += t == 0 ? "[[" : ",[";
        for (int64_t i = 0; i < all.size(1); ++i) {
            if (i > 0) line += ',';
            append_number(line, *next++);
        }
        line += t + 1 == all.size(0) ? "]]" : "]";
    }
    return line + "}\n";
}

int run_embed(int argc, const char* const* argv) {
    CommonOptions common;
    EmbedOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEmbedCommand, table, common, argc, argv)) return 0;
    const Placement place = open_placement(common);
    const RunIdentity identity = rows_identity(kEmbedCommand, table, common, place);
    const std::vector<EmbedRow> rows = read_rows(options, read_encoder_config(options.model));
    PartialRows partial(options.output, identity, common.overwrite);
    const Encoder encoder = Encoder::load(options.model, place.dtype, place.device);
    const bool scores = encoder.config().regression && !options.states;
    std::vector<int64_t> sizes;
    for (const EmbedRow& row : rows) sizes.push_back(static_cast<int64_t>(row.tokens.ids.size()));
    const auto embed_some = [&](const std::vector<size_t>& items, const RowSink& done) {
        std::vector<EncoderRow> batch;
        for (const size_t i : items) batch.push_back(rows[i].tokens);
        const std::vector<at::Tensor> hidden = encoder.hidden(batch);
        const at::Tensor given = scores ? encoder.scores(hidden) : at::Tensor();
        for (size_t k = 0; k < items.size(); ++k)
            done(items[k], {{"line", scores ? line_of(rows[items[k]].id, "score", given[static_cast<int64_t>(k)])
                                            : line_of(rows[items[k]].id, "hidden", hidden[k])}});
    };
    OutputFile output(options.output);
    make_rows({"embedding", "rows", groups_by_tokens(sizes, options.batch_tokens), embed_some, 1}, partial,
              [&](const Json& row) { output.write(row.at("line").get_ref<const std::string&>()); });
    output.close();
    partial.remove();
    return 0;
}

}  // namespace

Command embed_command() {
    return kEmbedCommand;
}

}  // namespace craft
