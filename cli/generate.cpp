// `generate`: what a model continues prompts, conversations or token ids with.
#include "generate/generate.h"

#include <algorithm>
#include <cmath>

#include "chat/chat_template.h"
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/model_rows.h"
#include "cli/placement.h"
#include "core/progress.h"
#include "core/rng.h"
#include "core/rows.h"
#include "tokenizer/plain_text.h"

namespace craft {

namespace {

struct GenerateCommandOptions {
    std::filesystem::path model, adapter;
    Quantization quantize = Quantization::none;
    std::string input, output;
    bool ids = false, greedy = false;
    int64_t samples = 1;
    std::optional<double> temperature, top_p;
    std::optional<int64_t> top_k;
    double cache_memory = 0;  // GiB; 0: by itself
    GenerateOptions generate;
    ChatOptions chat;
    JsonLinesOptions lines;
};

int run_generate(int argc, const char* const* argv);

const Command kGenerateCommand = {"generate", CommandGroup::use_model, "continue prompts, conversations or token ids",
                                  "craft-train generate --model weights/smollm2-135m-instruct.gguf --input "
                                  "share/examples/prompts.jsonl --output answers.jsonl --greedy",
                                  run_generate};

constexpr double kMostTokens = 1e8, kMostSamples = 1e6, kMostGiB = 1e6;  // a slip of the keyboard asks for more

void bind(OptionTable& table, GenerateCommandOptions& o) {
    bind_model(table, "model", o.model).flag("--model").required();
    table.add("adapter", o.adapter, "adapter folder; empty: none").flag("--adapter");
    bind_quantize(table, o.quantize);
    table
        .add("input", o.input,
             "{\"id\",\"prompt\"} or {\"id\",\"messages\"} a line, also \"tools\" and \"chat_template_kwargs\", or with "
             "--ids "
             "{\"id\",\"input_ids\"}; - for stdin")
        .flag("--input")
        .required();
    table.add("output", o.output, "{\"id\",\"text\"} a line, with --ids {\"id\",\"output_ids\"}; - for stdout")
        .flag("--output")
        .required();
    table.add("ids", o.ids, "rows are token ids, and so is what is written").flag("--ids");
    table.add("max_new_tokens", o.generate.max_new_tokens, "of a sample").flag("--max-new-tokens").min(1).max(kMostTokens);
    table.add("samples", o.samples, "of each prompt").flag("--samples").min(1).max(kMostSamples);
    table.add("greedy", o.greedy, "the arg-max, whatever sampling generation_config.json asks for").flag("--greedy");
    table.add("temperature", o.temperature, "0: greedy; none: generation_config.json's").flag("--temperature").min(0);
    table.add("top_p", o.top_p, "the fewest most probable tokens of this mass; none: generation_config.json's")
        .flag("--top-p")
        .min(0)
        .max(1);
    table.add("top_k", o.top_k, "of the k most probable tokens; none: generation_config.json's").flag("--top-k").min(0);
    table.add("stop", o.generate.stop_strings, "strings that end a sample; the text is cut before them").flag("--stop");
    bind_chat(table, o.chat);
    table.add("batch_size", o.generate.most_rows, "samples that run at once").flag("--batch-size").min(1).not_identity();
    table
        .add("cache_memory", o.cache_memory,
             "GiB for keys and values of the samples that run at once; 0: 4 on the CPU, half of what is free on a GPU")
        .flag("--cache-memory")
        .min(0)
        .max(kMostGiB)
        .not_identity();
    bind_json_lines(table, o.lines);
}

void check(OptionTable& table, const GenerateCommandOptions& o) {
    if (o.greedy && (o.temperature || o.top_p || o.top_k))
        table.add_problem("--greedy: does not go with --temperature, --top-p or --top-k");
    for (const char* key : {"chat_template", "allow_special"})
        if (const Option* option = table.find(key); o.ids && option->is_given)
            table.add_problem(option->shown_name() + ": has no effect with --ids");
    if (o.top_p && *o.top_p == 0) table.add_problem("--top-p: expected above 0, got 0");
    for (const std::string& stop : o.generate.stop_strings)
        if (stop.empty()) table.add_problem("--stop: expected a string that is not empty, got an empty one");
    if (o.ids && !o.generate.stop_strings.empty()) table.add_problem("--stop: needs text; rows of --ids have none");
}

constexpr int64_t kLargestTopK = int64_t{1} << 31;
constexpr double kUsualTopK = 50;  // transformers' where do_sample is set and top_k is not

// What generation_config.json asks for and is not done here.
void warn_of_ignored(const Json& file) {
    const std::vector<std::pair<std::string, Json>> neutral = {{"repetition_penalty", 1.0},
                                                               {"no_repeat_ngram_size", 0},
                                                               {"encoder_repetition_penalty", 1.0},
                                                               {"min_p", 0.0},
                                                               {"typical_p", 1.0},
                                                               {"epsilon_cutoff", 0.0},
                                                               {"eta_cutoff", 0.0},
                                                               {"top_h", Json()},
                                                               {"num_beams", 1},
                                                               {"penalty_alpha", Json()},
                                                               {"bad_words_ids", Json()},
                                                               {"suppress_tokens", Json()},
                                                               {"min_length", 0},
                                                               {"begin_suppress_tokens", Json()},
                                                               {"min_new_tokens", 0},
                                                               {"forced_bos_token_id", Json()},
                                                               {"forced_eos_token_id", Json()},
                                                               {"sequence_bias", Json()},
                                                               {"guidance_scale", 1.0},
                                                               {"stop_strings", Json()}};
    std::string ignored;
    for (const auto& [key, usual] : neutral) {
        const auto found = file.is_object() ? file.find(key) : file.end();
        const bool given = found != file.end() && !found->is_null() && !(found->is_array() && found->empty());
        if (given && *found != usual) ignored += (ignored.empty() ? "" : ", ") + key;
    }
    if (!ignored.empty()) log_warning("generation_config.json: not done here, and left out: " + ignored);
}

// Flags before generation_config.json; nobody asks for sampling: greedy.
Sampling sampling_of(const GenerateCommandOptions& o, const DecoderConfig& config) {
    const Json& file = config.generation_source;
    const bool is_asked = o.temperature || o.top_p || o.top_k;
    const bool samples = file.is_object() && file.value("do_sample", Json(false)) == true;
    if (o.greedy || (!is_asked && !samples)) return {.temperature = 0};
    const auto from_file = [&](const char* key, double absent) {
        return samples && file.contains(key) && file[key].is_number() ? file[key].get<double>() : absent;
    };
    const double top_k = from_file("top_k", samples ? kUsualTopK : 0);
    if (!(top_k >= 0 && top_k <= static_cast<double>(kLargestTopK)) || top_k != std::floor(top_k))
        throw Error((o.model / "generation_config.json").string() + ": top_k",
                    "a whole number up to " + std::to_string(kLargestTopK), dump_line(file["top_k"]));
    return {o.temperature.value_or(from_file("temperature", 1)), o.top_p.value_or(from_file("top_p", 1)),
            o.top_k.value_or(static_cast<int64_t>(top_k))};
}

// Rows as requests; the chat template is opened when a row asks for it.
class Prompts {
public:
    Prompts(const GenerateCommandOptions& options, const DecoderConfig& config)
        : options_(options),
          config_(config),
          tokenizer_(options.ids ? nullptr : open_tokenizer(options.model)),
          chat_(options.ids ? nullptr : chat_template_on_demand(options.model, options.chat)) {}

    GenerateRequest read(const Json& row, const std::string& where) {
        GenerateRequest request;
        request.samples = options_.samples;
        if (options_.ids) {
            request.prompt = ids_field(row, "input_ids", config_.vocab_size, where);
            unknown_.see(row, {"id", "input_ids"});
        } else if (row.contains("messages")) {
            read_conversation(request, row, "messages", where);
        } else if (row.contains("prompt") && row["prompt"].is_array()) {
            read_conversation(request, row, "prompt", where);
        } else {
            const std::string prompt = string_field(row, "prompt", where);
            if (spells_leading_tokens(*tokenizer_, prompt)) ++doubled_starts_;
            request.prompt = encode_plain(*tokenizer_, prompt);
            unknown_.see(row, {"id", "prompt"});
        }
        check(request.prompt, where);
        return request;
    }
    const Tokenizer* tokenizer() const { return tokenizer_.get(); }
    // What is odd about the rows that were read, a line each.
    void warn() const {
        unknown_.warn(options_.input);
        if (tokenizer_) warn_of_doubled_starts(*tokenizer_, options_.input, doubled_starts_);
    }

private:
    void read_conversation(GenerateRequest& request, const Json& row, const char* name, const std::string& where) {
        const Conversation conversation = conversation_from_row(row, name, where, &unknown_);
        request.prompt = chat_->encode(*tokenizer_, conversation, {.generation_prompt = true}).tokens;
        count_left_out(*chat_, conversation, {.generation_prompt = true}, unknown_);
        // The end of a turn ends an answer too.
        if (const int64_t end = tokenizer_->id_of(chat_->end_of_turn()); end >= 0) request.stop_tokens = {end};
    }
    void check(const std::vector<int64_t>& prompt, const std::string& where) {
        const auto length = static_cast<int64_t>(prompt.size());
        if (length == 0) throw Error(where, "a prompt of at least one token", "none");
        check_ids(prompt, config_.vocab_size, where);
        if (length < config_.max_positions) return;
        if (config_.learned_positions)
            throw Error(where, "fewer tokens than the model's " + std::to_string(config_.max_positions) + " positions",
                        std::to_string(length));
        if (!long_seen_)
            log_warning(where + ": a prompt beyond the model's positions; what it answers may be poor",
                        {{"tokens", length}, {"positions", config_.max_positions}});
        long_seen_ = true;
    }

    const GenerateCommandOptions& options_;
    const DecoderConfig& config_;
    std::shared_ptr<Tokenizer> tokenizer_;
    std::shared_ptr<ChatTemplate> chat_;
    UnknownKeys unknown_;
    int64_t doubled_starts_ = 0;
    bool long_seen_ = false;
};

void write_samples(JsonLinesWriter& writer, const Json& id, const std::vector<Generated>& samples, bool ids) {
    for (size_t k = 0; k < samples.size(); ++k) {
        Json row = {{"id", id}};
        if (samples.size() > 1) row["sample"] = k;
        if (ids)
            row["output_ids"] = samples[k].tokens;
        else
            row["text"] = samples[k].text;
        writer.write(row);
    }
}

int run_generate(int argc, const char* const* argv) {
    CommonOptions common;
    GenerateCommandOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kGenerateCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); })) return 0;
    const Placement place = open_placement(common);
    const DecoderConfig config = read_decoder_config(options.model);
    options.generate.sampling = sampling_of(options, config);
    options.generate.seed = common.seed;
    options.generate.beyond_positions = true;
    // Above 0 also where it is less than a byte: one sample at a time then.
    if (options.cache_memory > 0)
        options.generate.cache_bytes = std::max<int64_t>(1, static_cast<int64_t>(std::ldexp(options.cache_memory, 30)));
    warn_of_ignored(config.generation_source);
    options.generate.stop_tokens = config.end_tokens;
    if (options.samples > 1 && options.generate.sampling.temperature == 0)
        throw UsageError(std::string("--samples: greedy samples are all the same; ") +
                         (options.greedy ? "leave --greedy out" : "give --temperature"));
    Prompts prompts(options, config);
    std::vector<Json> ids;
    std::vector<GenerateRequest> requests;
    for_each_row(options.input, options.lines, [&](const Json& row, const std::string& where) {
        const Json id = id_field(row, where);
        GenerateRequest request = prompts.read(row, where);
        request.item = stable_hash(dump_line(id));  // not its place: no order matters
        requests.push_back(std::move(request));
        ids.push_back(id);
    });
    prompts.warn();
    Decoder decoder = Decoder::load(options.model, place.dtype, place.device, options.quantize);
    if (!options.adapter.empty()) decoder.load_adapter(options.adapter, /*trainable=*/false);
    JsonLinesWriter writer(options.output);
    Progress progress("generating", static_cast<int64_t>(requests.size()), "prompts");
    StepSource source(std::move(decoder));
    constexpr size_t kAtOnce = 256;
    for (size_t begin = 0; begin < requests.size(); begin += kAtOnce) {
        const size_t end = std::min(requests.size(), begin + kAtOnce);
        const std::vector<GenerateRequest> some(requests.begin() + static_cast<std::ptrdiff_t>(begin),
                                                requests.begin() + static_cast<std::ptrdiff_t>(end));
        const auto generated = craft::generate(source, prompts.tokenizer(), some, options.generate);
        for (size_t i = begin; i < end; ++i) write_samples(writer, ids[i], generated[i - begin], options.ids);
        progress.advance(static_cast<int64_t>(end - begin));
    }
    writer.close();
    progress.finish();
    return 0;
}

}  // namespace

Command generate_command() {
    return kGenerateCommand;
}

}  // namespace craft
