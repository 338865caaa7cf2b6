// `score`: log-probabilities of completions, or of token ids, under a decoder or an encoder-decoder.
#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include <algorithm>

#include "cli/adapter_option.h"
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/computed_rows.h"
#include "cli/model_rows.h"
#include "cli/option_groups.h"
#include "cli/placement.h"
#include "cli/score_pairs.h"
#include "core/rows.h"
#include "data/pair.h"
#include "model/chat/chat_template.h"
#include "model/decoder/decoder.h"
#include "model/spec/encoder_config.h"
#include "model/tokenizer/plain_text.h"

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

void bind(OptionTable& table, ScoreOptions& o) {
    const auto data = table.group(kDataGroup);
    bind_own_model(table, o.model);
    bind_adapter(table, o.adapter, "empty: none");
    bind_quantize(table, o.quantize);
    table
        .add("input", o.input,
             "{\"id\",\"prompt\",\"completion\"} or {\"id\",\"messages\"} a line, or with --ids {\"id\",\"input_ids\"}, of "
             "an encoder-decoder "
             "{\"id\",\"source_ids\",\"target_ids\"}; - for stdin")
        .flag("--input")
        .input()
        .required();
    table.add("output", o.output, "{\"id\",\"logprob\",\"tokens\",\"logprobs\"} a line, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .required();
    table.add("ids", o.ids, "rows are token ids; each from the second on is scored, of a target all").flag("--ids");
    table.add("batch_tokens", o.batch_tokens, "tokens computed at a time").flag("--batch-tokens").min(1).not_identity();
    bind_chat(table, o.chat);
    for (const char* key : {"chat_template", "allow_special"}) table.at(key).excludes("ids");
    bind_json_lines(table, o.lines);
}

// A row to compute: its tokens, those that count scored (never the first: nothing predicts it).
struct ScoreRow {
    Json id;
    MaskedTokens sequence;
    size_t scored() const {
        return static_cast<size_t>(std::count(sequence.counted.begin(), sequence.counted.end(), uint8_t{1}));
    }
};

// Rows as tokens; the chat template is opened when a row asks for it.
class ScoreRows {
public:
    ScoreRows(const ScoreOptions& options, const DecoderConfig& config)
        : options_(options),
          config_(config),
          tokenizer_(options.ids ? nullptr : open_tokenizer(options.model)),
          chat_(options.ids ? nullptr : chat_template_on_demand(options.model, options.chat)) {}

    ScoreRow read(const Json& row, const std::string& where) {
        if (options_.ids && row.contains("source_ids") && !row.contains("input_ids"))
            throw Error(where, "'input_ids': " + config_.architecture + " is a decoder", "'source_ids'",
                        "these are for encoder-decoders");
        ScoreRow made{id_field(row, where), options_.ids ? ids_of(row, where) : text_of(row, where)};
        MaskedTokens& sequence = made.sequence;
        check_ids(sequence.tokens, config_.vocab_size, where);
        if (config_.learned_positions && static_cast<int64_t>(sequence.tokens.size()) > config_.max_positions)
            throw Error(where, "at most the model's " + std::to_string(config_.max_positions) + " positions",
                        std::to_string(sequence.tokens.size()) + " tokens");
        if (sequence.tokens.empty()) throw Error(where, "a prompt or a completion of at least one token", "none");
        sequence.counted[0] = 0;
        return made;
    }
    void warn() const {
        unknown_.warn(options_.input);
        if (tokenizer_) warn_of_doubled_starts(*tokenizer_, options_.input, doubled_starts_);
    }

private:
    MaskedTokens ids_of(const Json& row, const std::string& where) {
        unknown_.see(row, {"id", "input_ids"});
        MaskedTokens sequence{ids_field(row, "input_ids", config_.vocab_size, where), {}};
        sequence.counted.assign(sequence.tokens.size(), 1);
        return sequence;
    }

    MaskedTokens text_of(const Json& row, const std::string& where) {
        if (row.contains("messages")) return turns(conversation_from_row(row, "messages", where, &unknown_), {}, where);
        const Completion read = completion_from_json(row, where, &unknown_);
        if (const auto* asked = std::get_if<Conversation>(&read.prompt)) {
            Conversation all = *asked;
            std::vector<int64_t> alone;
            if (!all.messages.empty()) alone = chat_->encode(*tokenizer_, all, {.generation_prompt = true}).tokens;
            const Json& answer = std::get<Conversation>(read.completion).messages;
            all.messages.insert(all.messages.end(), answer.begin(), answer.end());
            return turns(all, alone, where);
        }
        const std::string& prompt = std::get<std::string>(read.prompt);
        if (spells_leading_tokens(*tokenizer_, prompt)) ++doubled_starts_;
        const PlainTokens tokens = encode_plain(*tokenizer_, prompt, std::get<std::string>(read.completion));
        MaskedTokens sequence{tokens.tokens, std::vector<uint8_t>(tokens.tokens.size(), 1)};
        std::fill_n(sequence.counted.begin(), tokens.prompt, uint8_t{0});
        return sequence;
    }

    // The assistant's turns, behind what a prompt shares with them.
    MaskedTokens turns(const Conversation& conversation, const std::vector<int64_t>& prompt, const std::string& where) {
        EncodedChat chat = chat_->encode(*tokenizer_, conversation);
        count_left_out(*chat_, conversation, {}, unknown_);
        const auto shorter = static_cast<std::ptrdiff_t>(std::min(prompt.size(), chat.tokens.size()));
        const auto shared =
            std::mismatch(prompt.begin(), prompt.begin() + shorter, chat.tokens.begin()).first - prompt.begin();
        std::fill_n(chat.assistant.begin(), shared, uint8_t{0});
        if (std::find(chat.assistant.begin(), chat.assistant.end(), uint8_t{1}) == chat.assistant.end())
            throw Error(where, "a turn of the assistant to score", "none that counts");
        return {std::move(chat.tokens), std::move(chat.assistant)};
    }

    const ScoreOptions& options_;
    const DecoderConfig& config_;
    std::shared_ptr<Tokenizer> tokenizer_;
    std::shared_ptr<ChatTemplate> chat_;
    UnknownKeys unknown_;
    int64_t doubled_starts_ = 0;
};

std::vector<ScoreRow> read_rows(const ScoreOptions& options, const DecoderConfig& config) {
    std::vector<ScoreRow> rows;
    ScoreRows reader(options, config);
    for_each_row(options.input, options.lines,
                 [&](const Json& row, const std::string& where) { rows.push_back(reader.read(row, where)); });
    reader.warn();
    return rows;
}

void score_sequences(const ScoreOptions& options, const Placement& place, PartialRows& partial) {
    const std::vector<ScoreRow> rows = read_rows(options, read_decoder_config(options.model));
    Decoder decoder = Decoder::load(options.model, place.dtype, place.device, options.quantize);
    if (!options.adapter.empty()) decoder.load_adapter(options.adapter, /*trainable=*/false);
    std::vector<int64_t> sizes;
    for (const ScoreRow& row : rows) sizes.push_back(static_cast<int64_t>(row.sequence.tokens.size()));
    const at::NoGradGuard no_gradients;
    const auto score_some = [&](size_t begin, size_t end, const RowSink& done) {
        std::vector<TokenTree> trees;
        for (size_t i = begin; i < end; ++i) trees.push_back({{}, {rows[i].sequence}});
        const at::Tensor all =
            target_logprobs(decoder, pack(trees, decoder.device())).to(at::kCPU, at::kDouble).contiguous();
        const double* next = all.const_data_ptr<double>();
        for (size_t i = begin; i < end; ++i) {
            done(i, scores_line(rows[i].id, next, rows[i].scored(), options.ids));
            next += rows[i].scored();
        }
    };
    JsonLinesWriter writer(options.output);
    make_rows({"scoring", "rows", rows.size(), batches_by_tokens(sizes, options.batch_tokens), score_some}, partial,
              [&](const Json& line) { writer.write(line); });
    writer.close();
    partial.remove();
}

int run_score(int argc, const char* const* argv) {
    CommonOptions common;
    ScoreOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kScoreCommand, table, common, argc, argv)) return 0;
    const Placement place = open_placement(common);
    const ModelKind kind = model_kind(options.model);
    PartialRows partial(
        options.output,
        rows_identity(kScoreCommand, table, common, place, model_inputs(options.model, options.adapter, options.input)),
        common.overwrite);
    switch (kind) {
        case ModelKind::decoder:
            score_sequences(options, place, partial);
            return 0;
        case ModelKind::encoder_decoder:
            if (options.quantize != Quantization::none)
                throw UsageError("--quantize: decoders can be held in few bits, " + options.model.string() +
                                 " is an encoder-decoder");
            if (!options.adapter.empty())
                throw UsageError("--adapter: adapters of decoders are supported, " + options.model.string() +
                                 " is an encoder-decoder");
            score_pairs({options.model, options.input, options.output, options.ids, options.batch_tokens, options.lines},
                        place, partial);
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
