#include "cli/score_pairs.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>

#include "cli/model_rows.h"
#include "core/rows.h"
#include "core/unknown_keys.h"
#include "model/chat/prompt_rows.h"
#include "model/encoder/seq2seq.h"
#include "model/tokenizer/plain_text.h"

namespace craft {

namespace {

struct PairRow {
    Json id;
    Seq2SeqRow pair;
};

std::vector<PairRow> read_rows(const ScorePairs& options, const Seq2SeqConfig& config) {
    std::vector<PairRow> rows;
    UnknownKeys unknown;
    const auto tokenizer = options.ids ? nullptr : open_tokenizer(options.model);
    for_each_row(options.input, options.lines, [&](const Json& json, const std::string& where) {
        PairRow row{id_field(json, where), {}};
        if (options.ids && json.contains("input_ids") && !json.contains("source_ids"))
            throw Error(where, "'source_ids' and 'target_ids': " + config.encoder.architecture + " is an encoder-decoder",
                        "'input_ids'", "these are for decoders");
        if (options.ids) {
            row.pair.source = encoder_row_field(json, "source_ids", config.encoder.vocab_size, where);
            row.pair.target = ids_field(json, "target_ids", config.encoder.vocab_size, where);
            unknown.see(json, {"id", "source_ids", "target_ids", "attention_mask", "token_type_ids"});
        } else {
            row.pair.source.ids = encode_whole(*tokenizer, string_field(json, "prompt", where));
            row.pair.target = encode_whole(*tokenizer, string_field(json, "completion", where));
            unknown.see(json, {"id", "prompt", "completion"});
        }
        check_row(config, row.pair, where);
        rows.push_back(std::move(row));
    });
    unknown.warn(options.input);
    return rows;
}

}  // namespace

Json scores_line(const Json& id, const double* logprobs, size_t count, bool ids) {
    const std::vector<double> values(logprobs, logprobs + count);
    if (!std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
        throw Error("row " + id.dump(), "finite log-probabilities", "others", "the weights or the adapter are broken");
    if (ids) return {{"id", id}, {"logprobs", values}};
    double sum = 0;
    for (const double value : values) sum += value;
    return {{"id", id}, {"logprob", sum}, {"tokens", count}, {"logprobs", values}};
}

void score_pairs(const ScorePairs& options, const Placement& place, PartialRows& partial) {
    const std::vector<PairRow> rows = read_rows(options, read_seq2seq_config(options.model));
    const Seq2Seq model = Seq2Seq::load(options.model, place.dtype, place.device);
    std::vector<int64_t> sizes;
    for (const PairRow& row : rows)
        sizes.push_back(static_cast<int64_t>(row.pair.source.ids.size() + row.pair.target.size()));
    const auto score_some = [&](const std::vector<size_t>& items, const RowSink& done) {
        std::vector<Seq2SeqRow> batch;
        for (const size_t i : items) batch.push_back(rows[i].pair);
        const std::vector<at::Tensor> logprobs = model.target_logprobs(batch);
        for (size_t k = 0; k < items.size(); ++k) {
            const size_t i = items[k];
            const at::Tensor own = logprobs[k].to(at::kDouble).contiguous();
            done(i, scores_line(rows[i].id, own.const_data_ptr<double>(), rows[i].pair.target.size(), options.ids));
        }
    };
    JsonLinesWriter writer(own_output(options.output, partial.ranks()));
    if (!make_rows({"scoring", "rows", groups_by_tokens(sizes, options.batch_tokens), score_some, 1}, partial,
                   [&](const Json& line) { writer.write(line); }))
        return;
    writer.close();
    partial.remove();
}

}  // namespace craft
