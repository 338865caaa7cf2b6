#include "align/base_model.h"

#include <cctype>
#include <set>
#include <utility>

#include "align/copying_heads.h"
#include "align/environment.h"
#include "core/error.h"
#include "core/log.h"
#include "core/rng.h"
#include "core/run_folder.h"
#include "data/exercises.h"
#include "data/trajectory.h"
#include "generate/generate.h"
#include "systems/prompts.h"
#include "tokenizer/train_tokenizer.h"
#include "tools/craft/craft_tools.h"
#include "train/examples.h"
#include "train/trainer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// What the tokenizer holds whole: the fixed parts of a planner's response and the names of the tools.
std::vector<std::string> symbols() {
    std::vector<std::string> all = response_symbols();
    all.insert(all.end(), craft_tools().names().begin(), craft_tools().names().end());
    return all;
}

// What is only copied: a token that is never trained cannot be told from others that are not, neither read nor written.
std::vector<std::string> words_to_copy(const std::vector<std::string>& spellings) {
    const std::vector<std::string> fixed = symbols();
    std::set<std::string> words(fixed.begin(), fixed.end());
    for (const std::string& line : spellings) {
        std::string word;
        for (const char c : line + " ") {
            if (std::isalpha(static_cast<unsigned char>(c)) != 0)
                word += c;
            else if (word.size() > 1)
                words.insert(std::exchange(word, ""));
            else
                word.clear();
        }
    }
    return {words.begin(), words.end()};
}

std::vector<Exercise> exercises_of(const std::vector<std::string>& texts, const std::vector<std::string>& to_copy,
                                   const BaseModelOptions& options) {
    std::vector<Exercise> exercises;
    make_exercises(texts, to_copy, options.exercises, options.seed,
                   [&](Exercise&& exercise) { exercises.push_back(std::move(exercise)); });
    return exercises;
}

void make_tokenizer(const std::vector<std::string>& texts, const std::vector<std::string>& spellings,
                    const std::vector<Exercise>& exercises, int64_t vocabulary, const fs::path& folder) {
    std::vector<std::string> lines = texts;
    lines.insert(lines.end(), spellings.begin(), spellings.end());
    // A few exercises teach it code and lists; all of them would only repeat the texts.
    const size_t stride = std::max<size_t>(1, exercises.size() / 2000);
    for (size_t i = 0; i < exercises.size(); i += stride)
        for (const Message& message : exercises[i].messages) lines.push_back(message.content);
    size_t at = 0;
    const TextSource source = [&]() -> std::optional<std::string> {
        return at < lines.size() ? std::optional(lines[at++]) : std::nullopt;
    };
    train_tokenizer(source, {.vocabulary_size = vocabulary, .symbols = symbols(), .words_alike = true}, folder);
}

DecoderConfig decoder_config(const DecoderConfig& sizes, const Tokenizer& tokenizer) {
    DecoderConfig config = sizes;
    config.head_dim = 32;
    config.heads = config.hidden_size / config.head_dim;
    config.kv_heads = config.heads / 2;
    config.vocab_size = tokenizer.vocabulary_size();
    config.end_tokens = {tokenizer.end_token()};
    config.pad_token = tokenizer.id_of("<pad>");
    const auto leading = tokenizer.leading_tokens();
    if (!leading.empty()) config.bos_token = leading.front();
    return config;
}

}  // namespace

BaseModelOptions default_base_model_options() {
    BaseModelOptions options;
    options.config.hidden_size = 256;
    options.config.intermediate_size = 704;
    options.config.layers = 4;
    options.config.max_positions = 2048;
    options.config.rope_theta = 1e6;  // slow pairs enough to find a token at any distance
    options.config.tied_embeddings = true;
    options.train.loss = default_loss_options(LossName::sft);
    options.train.full = true;
    options.train.lr = 1.5e-3;
    options.train.schedule = Schedule::cosine;
    options.train.warmup = 0.03;
    options.train.batch_size = 12;
    options.train.order = Order::sequential;
    options.train.save_every = 200;
    return options;
}

void make_base_model(const std::vector<std::string>& texts, const std::vector<std::string>& spellings,
                     const BaseModelOptions& options, const fs::path& folder) {
    if (options.config.hidden_size % 64 != 0)
        throw Error("model.hidden_size", "a multiple of 64", std::to_string(options.config.hidden_size));
    const fs::path model = folder / "model";
    const std::vector<Exercise> exercises = exercises_of(texts, words_to_copy(spellings), options);
    const Stage tokenizer_stage(folder / "tokenizer");
    if (!tokenizer_stage.complete()) {
        ensure_folder(model);
        make_tokenizer(texts, spellings, exercises, options.vocabulary, model);
        tokenizer_stage.mark_complete();
    }
    const std::shared_ptr<Tokenizer> tokenizer = open_tokenizer(model);
    ExampleBuilder builder(tokenizer, open_chat_template(model), {.max_length = options.config.max_positions});
    for (const Exercise& exercise : exercises) {
        if (exercise.messages.empty())
            builder.add_completion(PromptText(std::string()), PromptText(exercise.text), "text");
        else
            builder.add_conversation(exercise.messages);
    }
    const Examples examples = builder.take();

    const DecoderConfig config = decoder_config(options.config, *tokenizer);
    Rng rng(options.seed, "base-model");
    Decoder decoder = Decoder::initialise(config, rng);
    write_copying_heads(decoder, rng, space_pairs_of(*tokenizer));
    TrainOptions train_options = options.train;
    train_options.seed = options.seed;
    make_trainable(decoder, train_options);
    const TrainResult result = train(decoder, examples.trees, train_options, folder / "train");
    decoder.save(model, at::kBFloat16);
    note_prompt(model, "compact");
    log_info("made the base model",
             {{"folder", model.string()}, {"steps", result.steps}, {"tokens", result.tokens}, {"seconds", result.seconds}});
}

std::map<std::string, ExerciseScore> score_exercises(const fs::path& model, const std::vector<std::string>& texts,
                                                     int64_t exercises, uint64_t seed) {
    const Planner planner = Planner::open(model, at::kFloat, at::kCPU);
    std::vector<GenerateRequest> requests;
    std::vector<std::string> kinds, answers;
    int64_t made = 0;
    make_exercises(texts, symbols(), exercises, seed, [&](Exercise&& exercise) {
        if (++made <= exercises / 2) return;
        for (size_t i = 0; i < exercise.kinds.size(); ++i) {
            const auto asked = static_cast<std::ptrdiff_t>(2 * i);
            const std::vector<Message> until(exercise.messages.begin(), exercise.messages.begin() + asked + 1);
            requests.push_back({planner.chat->encode(*planner.tokenizer, until, {.generation_prompt = true}).tokens});
            kinds.push_back(exercise.kinds[i]);
            answers.push_back(exercise.messages[2 * i + 1].content);
        }
    });
    const auto generated = generate(planner.decoder, planner.tokenizer.get(), requests,
                                    {.sampling = {.temperature = 0}, .stop_tokens = planner.base.config().end_tokens});
    std::map<std::string, ExerciseScore> scores;
    for (size_t i = 0; i < generated.size(); ++i)
        for (const std::string& kind : {kinds[i], std::string("all")}) {
            ++scores[kind].asked;
            scores[kind].right += generated[i].front().text == answers[i] ? 1 : 0;
        }
    return scores;
}

}  // namespace craft
