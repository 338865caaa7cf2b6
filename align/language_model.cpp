#include "align/language_model.h"

#include <algorithm>
#include <memory>

#include "core/error.h"
#include "core/model_files.h"
#include "core/rng.h"
#include "judge/scorers/perplexity.h"
#include "model/decoder/decoder.h"
#include "text/sentences.h"
#include "tokenizer/tokenizer.h"
#include "train/trainer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

DecoderConfig sizes(const Tokenizer& tokenizer) {
    DecoderConfig config;
    config.vocab_size = tokenizer.vocabulary_size();
    config.hidden_size = 128;
    config.intermediate_size = 352;
    config.layers = 2;
    config.heads = config.kv_heads = 4;
    config.head_dim = 32;
    config.max_positions = 512;
    config.tied_embeddings = true;
    config.end_tokens = {tokenizer.end_token()};
    return config;
}

TrainOptions training(uint64_t seed) {
    TrainOptions options;
    options.loss = default_loss_options(LossName::sft);
    options.full = true;
    options.lr = 2e-3;
    options.schedule = Schedule::constant;
    options.warmup = 50;
    options.epochs = 12;
    options.batch_size = 32;
    options.weight_decay = 0.1;
    options.average = 0.98;
    options.min_epoch_gain = 0;
    options.seed = seed;
    return options;
}

MaskedTokens first_positions(MaskedTokens sequence, int64_t count) {
    const auto kept = std::min(sequence.tokens.size(), static_cast<size_t>(count));
    sequence.tokens.resize(kept);
    sequence.counted.resize(kept);
    return sequence;
}

double perplexity(const Decoder& decoder, const std::shared_ptr<const Tokenizer>& tokenizer,
                  const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += text + "\n\n";
    return PerplexityScorer(decoder, tokenizer).score({{"", all}}).front();
}

}  // namespace

double make_language_model(const std::vector<std::string>& texts, const fs::path& tokenizer_folder, uint64_t seed,
                           const fs::path& folder) {
    if (texts.size() < 10) throw Error("language model", "at least ten texts", std::to_string(texts.size()));
    check_own_files(tokenizer_folder);
    const std::shared_ptr<const Tokenizer> tokenizer = open_tokenizer(tokenizer_folder);
    const auto held_apart = texts.end() - static_cast<std::ptrdiff_t>(texts.size() / 10);
    const DecoderConfig config = sizes(*tokenizer);
    std::vector<TokenTree> sentences;
    for (auto text = texts.begin(); text != held_apart; ++text)
        for (const std::string& sentence : split_sentences(*text))
            sentences.push_back({{}, {first_positions(perplexity_tokens(*tokenizer, sentence), config.max_positions)}});

    Rng rng(seed, "language-model");
    Decoder decoder = Decoder::initialise(config, rng);
    const TrainOptions options = training(seed);
    make_trainable(decoder, options);
    TrainCallbacks callbacks;
    callbacks.epoch_score = [&](int64_t) { return 1 / perplexity(decoder, tokenizer, {held_apart, texts.end()}); };
    const TrainResult result = train(decoder, sentences, options, folder / "train", callbacks);
    decoder.save(folder / "model", at::kBFloat16);
    copy_tokenizer(tokenizer_folder, folder / "model");
    return 1 / result.scores.at(static_cast<size_t>(result.best_epoch - 1));
}

}  // namespace craft
