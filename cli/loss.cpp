// `loss`: what one training step would compute on given batches, for audits and for comparing with other trainers.
#include <torch/types.h>

#include <cmath>

#include "cli/adapter_option.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/loss_request.h"
#include "cli/model_memory.h"
#include "cli/model_rows.h"
#include "cli/placement.h"
#include "core/progress.h"
#include "core/rows.h"
#include "core/signals.h"
#include "model/decoder/decoder.h"
#include "train/batch_loss.h"
#include "train/reference.h"

namespace craft {

namespace {

struct LossCommandOptions {
    std::filesystem::path model, adapter;
    Quantization quantize = Quantization::none;
    std::string input, output;
    int64_t micro_batch_tokens = 0;
    JsonLinesOptions lines;
};

int run_loss(int argc, const char* const* argv);

const Command kLossCommand = {
    "loss", CommandGroup::train, "what one training step would compute on given batches",
    "craft-train loss --model weights/smollm2-135m-instruct.gguf --input share/examples/loss_requests.jsonl --output -",
    run_loss};

void bind(OptionTable& table, LossCommandOptions& o) {
    bind_own_model(table, o.model);
    bind_adapter(table, o.adapter, "its gradient norm is reported; empty: that of all weights");
    bind_quantize(table, o.quantize);
    table
        .add("input", o.input,
             "{\"id\",\"request\",\"pairs\"} per line, of sft {\"id\",\"request\",\"sequences\"}; - for stdin")
        .flag("--input")
        .input()
        .required();
    table
        .add("output", o.output,
             "{\"id\",\"loss\",\"nll\",\"chosen_logps\",\"rejected_logps\",\"grad_norm\"} per line; - for stdout")
        .flag("--output")
        .output()
        .required();
    table
        .add("micro_batch_tokens", o.micro_batch_tokens,
             "tokens per batch; does not change results; 0: chosen for the device")
        .flag("--micro-batch-tokens")
        .min(0)
        .not_identity();
    bind_json_lines(table, o.lines);
    o.lines.max_line_bytes = size_t{1} << 30;  // a line is a whole batch
}

struct LossRow {
    Json id;
    LossRequest request;
};

std::vector<LossRow> read_rows(const LossCommandOptions& options, const DecoderConfig& config) {
    std::vector<LossRow> rows;
    for_each_row(options.input, options.lines, [&](const Json& json, const std::string& where) {
        rows.push_back({id_field(json, where), loss_request(json, config, where)});
    });
    return rows;
}

// The 2-norm over all leaves; clears their gradients.
double take_gradient_norm(const Decoder& decoder) {
    double squares = 0;
    for (const auto& [name, leaf] : decoder.trainable()) {
        at::Tensor& gradient = at::Tensor(leaf).mutable_grad();
        if (gradient.defined()) squares += gradient.to(at::kDouble).square().sum().item<double>();
        gradient = at::Tensor();
    }
    return std::sqrt(squares);
}

Json result_of(Decoder& decoder, const LossRow& row, int64_t micro_batch_tokens) {
    const LossOptions& loss = row.request.loss;
    std::vector<const TokenTree*> examples;
    for (const TokenTree& tree : row.request.examples) examples.push_back(&tree);
    std::vector<ReferenceSums> references = row.request.references;
    if (references.empty() && needs_reference(loss.name))
        references = reference_sums(decoder, examples, loss, micro_batch_tokens, Ranks::alone());
    std::vector<BranchLogprob> branches;
    const BatchFigures figures =
        run_batch(decoder, examples, loss,
                  {.micro_batch_tokens = micro_batch_tokens, .branches = &branches, .references = references});
    const double norm = take_gradient_norm(decoder);
    if (!std::isfinite(figures.loss) || !std::isfinite(norm))
        throw Error("batch " + row.id.dump(), "a finite loss and gradient",
                    "loss " + std::to_string(figures.loss) + ", gradient norm " + std::to_string(norm));
    const bool pairs = needs_pairs(loss.name), averages = is_length_normalised(loss);
    Json chosen = Json::array(), rejected = Json::array();
    double chosen_sum = 0, chosen_tokens = 0;
    for (size_t i = 0; i < branches.size(); ++i) {
        const auto tokens = static_cast<double>(branches[i].tokens);
        const bool is_rejected = pairs && i % 2 == 1;
        (is_rejected ? rejected : chosen).push_back(averages ? branches[i].sum / tokens : branches[i].sum);
        if (is_rejected) continue;
        chosen_sum += branches[i].sum;
        chosen_tokens += tokens;
    }
    Json result = {{"id", row.id},
                   {"loss", figures.loss},
                   {"nll", figures.sft_loss.value_or(-chosen_sum / chosen_tokens)},
                   {"chosen_logps", std::move(chosen)}};
    if (pairs) result["rejected_logps"] = std::move(rejected);
    result["grad_norm"] = norm;
    return result;
}

void compute_losses(const LossCommandOptions& options, const Placement& place) {
    if (options.adapter.empty())
        expect_model_fits(
            options.model, place,
            {[&](int64_t weights) { return weights * static_cast<int64_t>(c10::elementSize(place.dtype)); }, "gradients"});
    const DecoderConfig config = read_decoder_config(options.model);
    if (config.is_encoder_decoder())
        throw UsageError("--model: expected a decoder, whose rows are single sequences, got an encoder-decoder, " +
                         options.model.string());
    const std::vector<LossRow> rows = read_rows(options, config);
    Decoder decoder = Decoder::load(options.model, place.dtype, place.device, options.quantize);
    if (options.adapter.empty())
        decoder.train_all_weights();
    else
        decoder.load_adapter(options.adapter, /*trainable=*/true);
    JsonLinesWriter writer(options.output);
    Progress progress("computing losses", static_cast<int64_t>(rows.size()), "batches");
    for (const LossRow& row : rows) {
        throw_if_stopped();
        writer.write(result_of(decoder, row, options.micro_batch_tokens));
        progress.advance(1);
    }
    writer.close();
}

int run_loss(int argc, const char* const* argv) {
    CommonOptions common;
    LossCommandOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kLossCommand, table, common, argc, argv)) return 0;
    compute_losses(options, open_placement(common));
    return 0;
}

}  // namespace

Command loss_command() {
    return kLossCommand;
}

}  // namespace craft
