// `generate`: what a model continues prompts, conversations or token ids with.
#include "model/generate/generate.h"

#include <algorithm>
#include <cmath>

#include "cli/adapter_option.h"
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/model_rows.h"
#include "cli/option_groups.h"
#include "cli/placement.h"
#include "cli/ranks.h"
#include "core/rng.h"
#include "core/rows.h"
#include "model/chat/prompt_rows.h"
#include "model/generate/generation_config.h"

namespace craft {

namespace {

struct GenerateCommandOptions {
    std::filesystem::path model, adapter;
    Quantization quantize = Quantization::none;
    std::string input, output;
    bool ids = false;
    int64_t samples = 1;
    AskedSampling sampling;
    std::optional<double> repetition_penalty;
    double cache_memory = 0;  // GiB; 0: by itself
    GenerateOptions generate;
    ChatOptions chat;
    JsonLinesOptions lines;
};

int run_generate(int argc, const char* const* argv);

const Command kGenerateCommand = {"generate",
                                  CommandGroup::use_model,
                                  "continue prompts, conversations or token ids",
                                  "craft-train generate --model weights/smollm2-135m-instruct.gguf --input "
                                  "share/examples/prompts.jsonl --output answers.jsonl --greedy",
                                  run_generate,
                                  Work::generation};

constexpr double kMaxTokens = 1e8, kMaxSamples = 1e6, kMaxGiB = 1e6;  // a slip of the keyboard asks for more

void bind_sampling(OptionTable& table, GenerateCommandOptions& o) {
    const auto group = table.group(kSamplingGroup);
    table.add("max_new_tokens", o.generate.max_new_tokens, "maximum new tokens of a sample")
        .flag("--max-new-tokens")
        .min(1)
        .max(kMaxTokens);
    table.add("samples", o.samples, "samples per prompt").flag("--samples").min(1).max(kMaxSamples);
    table
        .add("greedy", o.sampling.greedy,
             "take the most probable token, whatever sampling generation_config.json asks for; its penalties, bans and "
             "forced tokens still apply")
        .flag("--greedy")
        .excludes("temperature")
        .excludes("top_p")
        .excludes("top_k")
        .excludes("min_p");
    table.add("temperature", o.sampling.temperature, "sampling temperature; 0: greedy; none: generation_config.json's")
        .flag("--temperature")
        .min(0);
    table
        .add("top_p", o.sampling.top_p,
             "nucleus sampling: the fewest most probable tokens with this mass; none: generation_config.json's")
        .flag("--top-p")
        .above(0)
        .max(1);
    table.add("top_k", o.sampling.top_k, "sample from the k most probable tokens; none: generation_config.json's")
        .flag("--top-k")
        .min(0);
    table
        .add("min_p", o.sampling.min_p,
             "minimum probability as a share of the most probable token's; 0: all; none: generation_config.json's")
        .flag("--min-p")
        .min(0)
        .max(1);
    table
        .add("repetition_penalty", o.repetition_penalty,
             "divisor of the logits of tokens in the prompt and the answer (negative ones are multiplied); 1: off; none: "
             "generation_config.json's")
        .flag("--repetition-penalty")
        .above(0);
    table
        .add("stop", o.generate.stop_strings,
             "strings that end a sample; the text is cut before them; none: generation_config.json's")
        .flag("--stop")
        .checked([](const Json& value) {
            const bool has_empty = std::find(value.begin(), value.end(), "") != value.end();
            return has_empty ? "expected a string that is not empty, got an empty one" : "";
        })
        .excludes("ids", "rows of token ids have no text");
}

void bind(OptionTable& table, CommonOptions& common, GenerateCommandOptions& o) {
    const auto data = table.group(kDataGroup);
    bind_own_model(table, o.model);
    bind_adapter(table, o.adapter, "empty: none");
    bind_quantize(table, o.quantize);
    table
        .add("input", o.input,
             "{\"id\",\"prompt\"} or {\"id\",\"messages\"} per line, also \"tools\" and \"chat_template_kwargs\", or with "
             "--ids {\"id\",\"input_ids\"}; - for stdin")
        .flag("--input")
        .input()
        .required();
    table
        .add("output", o.output,
             "{\"id\",\"text\"} per line, with --ids {\"id\",\"output_ids\"}; {\"id\",\"failed\",\"error\"} of a prompt "
             "that is too long; - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .required();
    table.add("ids", o.ids, "rows are token ids, and so is what is written").flag("--ids");
    bind_sampling(table, o);
    bind_chat(table, o.chat);
    for (const char* key : {"chat_template", "allow_special"}) table.at(key).excludes("ids");
    table.add("batch_size", o.generate.max_batch_rows, "samples that run concurrently")
        .flag("--batch-size")
        .min(1)
        .not_identity();
    table
        .add("cache_memory", o.cache_memory,
             "GiB for the key-value cache; 0: 2 on the CPU, half of the free memory on a GPU")
        .flag("--cache-memory")
        .min(0)
        .max(kMaxGiB)
        .not_identity();
    bind_json_lines(table, o.lines);
    bind_ranks(table, common);
}

// What a prompt's samples come to: a line each of the output.
Json lines_of(const Json& id, const std::vector<Generated>& samples, bool ids) {
    Json lines = Json::array();
    for (size_t k = 0; k < samples.size(); ++k) {
        Json line = {{"id", id}};
        if (samples.size() > 1) line["sample"] = k;
        if (ids)
            line["output_ids"] = samples[k].tokens;
        else
            line["text"] = samples[k].text;
        lines.push_back(std::move(line));
    }
    return lines;
}

void generate_rows(const OptionTable& table, const CommonOptions& common, GenerateCommandOptions& options, Ranks& ranks) {
    const Placement place = open_placement(common);
    const DecoderConfig config = read_decoder_config(options.model);
    follow_generation_config(options.model, config, {options.sampling, options.repetition_penalty, !options.ids},
                             options.generate);
    options.generate.seed = common.seed;
    options.generate.beyond_positions = true;
    // Above 0 also where it is less than a byte: one sample at a time then.
    if (options.cache_memory > 0)
        options.generate.cache_bytes = std::max<int64_t>(1, static_cast<int64_t>(std::ldexp(options.cache_memory, 30)));
    if (options.samples > 1 && options.generate.sampling.temperature == 0)
        throw UsageError(std::string("--samples: greedy samples are identical; ") +
                         (options.sampling.greedy ? "drop --greedy" : "give --temperature"));
    const Sampling& sampling = options.generate.sampling;  // whoever asked for it: another spelling is no other command
    options.sampling = {.greedy = sampling.temperature == 0};
    if (!options.sampling.greedy)
        options.sampling = {false, sampling.temperature, sampling.top_p, sampling.min_p, sampling.top_k};
    options.repetition_penalty = options.generate.rules.repetition_penalty;
    const RunIdentity identity = rows_identity(kGenerateCommand, table, common, place);
    PromptRows prompts({.model = options.model,
                        .chat = options.chat,
                        .input = options.input,
                        .ids = options.ids,
                        .vocabulary = config.vocab_size,
                        .positions = config.max_positions,
                        .start_token = config.start_token});
    std::vector<Json> ids;
    std::vector<GenerateRequest> requests;
    std::vector<std::string> problems;  // of the rows that no answer is generated for
    for_each_row(options.input, options.lines, [&](const Json& row, const std::string& where) {
        const Json id = id_field(row, where);
        PromptTokens prompt = prompts.prompt(row, where);
        requests.push_back({.prompt = std::move(prompt.tokens),
                            .item = stable_hash(dump_line(id)),  // not its place: no order matters
                            .samples = options.samples,
                            .stop_tokens = std::move(prompt.stop_tokens)});
        problems.push_back(std::move(prompt.problem));
        ids.push_back(id);
    });
    prompts.finish();
    PartialRows partial(options.output, identity, common.overwrite, ranks);
    Decoder decoder = Decoder::load(options.model, place.dtype, place.device, options.quantize);
    if (!options.adapter.empty()) decoder.load_adapter(options.adapter, /*trainable=*/false);
    StepSource source(std::move(decoder));
    const auto generate_some = [&](const std::vector<size_t>& items, const RowSink& done) {
        std::vector<size_t> answered;
        std::vector<GenerateRequest> some;
        for (const size_t i : items) {
            if (!problems[i].empty()) {
                done(i, {{"lines", Json::array({failed_row(ids[i], problems[i])})}});
                continue;
            }
            answered.push_back(i);
            some.push_back(requests[i]);
        }
        craft::generate(source, prompts.tokenizer(), some, options.generate,
                        [&](size_t which, const std::vector<Generated>& samples) {
                            const size_t item = answered[which];
                            done(item, {{"lines", lines_of(ids[item], samples, options.ids)}});
                        });
    };
    JsonLinesWriter writer(own_output(options.output, ranks));
    if (!make_rows({"generating", "prompts", each_by_itself(requests.size()), generate_some}, partial, [&](const Json& row) {
            for (const Json& line : row.at("lines")) writer.write(line);
        }))
        return;
    writer.close();
    partial.remove();
}

int run_generate(int argc, const char* const* argv) {
    CommonOptions common;
    GenerateCommandOptions options;
    OptionTable table;
    bind(table, common, options);
    if (!parse_command(kGenerateCommand, table, common, argc, argv)) return 0;
    return in_ranks(table, common, [&](ProcessGroup& ranks) { generate_rows(table, common, options, ranks); });
}

}  // namespace

Command generate_command() {
    return kGenerateCommand;
}

}  // namespace craft
