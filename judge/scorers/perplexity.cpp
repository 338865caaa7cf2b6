#include "judge/scorers/perplexity.h"

#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/error.h"
#include "judge/scorers/shared_batches.h"

namespace craft {

namespace {

std::vector<int64_t> start_tokens(const Tokenizer& tokenizer) {
    std::vector<int64_t> start = tokenizer.leading_tokens();
    if (start.empty() && tokenizer.end_token() >= 0) start = {tokenizer.end_token()};
    if (start.empty()) throw Error("perplexity", "a tokenizer with a leading or an end token", "neither");
    return start;
}

MaskedTokens behind(const std::vector<int64_t>& start, const int64_t* tokens, size_t count) {
    MaskedTokens piece{start, std::vector<uint8_t>(start.size(), 0)};
    piece.tokens.insert(piece.tokens.end(), tokens, tokens + count);
    piece.counted.resize(piece.tokens.size(), 1);
    return piece;
}

}  // namespace

MaskedTokens perplexity_tokens(const Tokenizer& tokenizer, const std::string& sentence) {
    const std::vector<int64_t> tokens = tokenizer.encode(sentence, false);
    return behind(start_tokens(tokenizer), tokens.data(), tokens.size());
}

PerplexityScorer::PerplexityScorer(Decoder decoder, std::shared_ptr<const Tokenizer> tokenizer,
                                   const PerplexityOptions& options)
    : decoder_(std::move(decoder)), tokenizer_(std::move(tokenizer)), options_(options), start_(start_tokens(*tokenizer_)) {
    const DecoderConfig& config = decoder_.config();
    if (tokenizer_->vocabulary_size() > config.vocab_size)
        throw Error("perplexity", "a tokenizer of at most " + std::to_string(config.vocab_size) + " tokens",
                    std::to_string(tokenizer_->vocabulary_size()), "tokenizer and model are not of one folder");
    if (config.max_positions <= static_cast<int64_t>(start_.size()))
        throw Error("perplexity", "a model with room for a sentence", std::to_string(config.max_positions) + " positions");
}

double TokenNll::perplexity() const {
    return tokens > 0 ? std::exp(sum / static_cast<double>(tokens)) : std::numeric_limits<double>::infinity();
}

std::vector<TokenNll> PerplexityScorer::likelihoods(const std::vector<std::string>& texts) const {
    std::unordered_map<std::string, TokenNll> known;
    std::vector<std::vector<const TokenNll*>> sentences_of;
    Pieces pieces;
    for (const std::string& text : texts) {
        sentences_of.emplace_back();
        for (const std::string& sentence : split_sentences(text, options_.sentences)) {
            const auto [place, is_new] = known.try_emplace(sentence);
            if (is_new) add_pieces(sentence, &place->second, pieces);
            sentences_of.back().push_back(&place->second);
        }
    }
    compute(pieces);
    std::vector<TokenNll> totals;
    for (const auto& sentences : sentences_of) {
        TokenNll total;
        for (const TokenNll* one : sentences) {
            total.sum += one->sum;
            total.tokens += one->tokens;
        }
        totals.push_back(total);
    }
    return totals;
}

std::vector<double> PerplexityScorer::score(const std::vector<ScoredPair>& pairs) {
    std::vector<std::string> texts;
    for (const ScoredPair& pair : pairs) texts.push_back(pair.hypothesis);
    std::vector<double> values;
    for (const TokenNll& text : likelihoods(texts)) values.push_back(text.perplexity());
    return values;
}

void PerplexityScorer::add_pieces(const std::string& sentence, TokenNll* into, Pieces& pieces) const {
    const std::vector<int64_t> tokens = tokenizer_->encode(sentence, false);
    const size_t room = static_cast<size_t>(decoder_.config().max_positions) - start_.size();
    for (size_t begin = 0; begin < tokens.size(); begin += room) {
        const size_t count = std::min(room, tokens.size() - begin);
        pieces.trees.push_back({{}, {behind(start_, tokens.data() + begin, count)}});
        pieces.owners.push_back(into);
    }
    into->tokens = static_cast<int64_t>(tokens.size());
}

// Adds each piece's negative log-likelihood to its sentence.
void PerplexityScorer::compute(const Pieces& pieces) const {
    SharedBatches all{.doing = "", .unit = "", .sizes = {}, .batch_tokens = options_.batch_tokens, .ranks = *options_.ranks};
    for (const TokenTree& tree : pieces.trees) all.sizes.push_back(tree.size());
    const at::NoGradGuard no_grad;
    const std::vector<double> sums = in_shared_batches(all, [&](size_t begin, size_t end) {
        const auto first = pieces.trees.begin();
        const PackedBatch batch =
            pack({first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end)}, decoder_.device());
        const at::Tensor logprobs = target_logprobs(decoder_, batch).to(at::kCPU, at::kDouble);
        const at::Tensor of_batch =
            at::zeros({batch.branches}, at::kDouble).index_add(0, batch.target_branch.cpu(), logprobs);
        return std::vector<double>(of_batch.const_data_ptr<double>(), of_batch.const_data_ptr<double>() + batch.branches);
    });
    for (size_t i = 0; i < sums.size(); ++i) pieces.owners[i]->sum -= sums[i];
}

}  // namespace craft
