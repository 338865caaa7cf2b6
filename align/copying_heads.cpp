#include "align/copying_heads.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <unordered_map>

namespace craft {

namespace {

using at::indexing::Slice;

// Deviation of the embeddings' entries, and the constant that all of them share. The tied head's logit of a token whose
// embedding alone is present is sqrt(hidden * half) times the deviation: about 11 at a width of 256.
constexpr double kDeviation = 0.06, kConstant = 4 * kDeviation;
// Logits by which a place wins over its neighbours, and a token found over unlike ones.
constexpr double kPlaceMargin = 10, kMatchMargin = 30;
// The dimension that tells the two tokens of a pair apart, as a share of an embedding's length: they have a cosine of .77,
// two words behind blanks of .11.
constexpr double kBlankShare = 0.34;
// Rotary pairs (radians a token) that tell neighbours apart, and those that do not notice distances within a text.
constexpr double kFast = 0.02, kSlow = 3e-3;

// The residual stream as the normed input of a layer shows it. Its first half holds the token, its second what the circuit
// writes.
struct Stream {
    double deviation = 0;  // of the entries
    double constant = 0;   // the first half's last dimension
};

class Circuit {
public:
    Circuit(Decoder& decoder, Rng& rng) : config_(decoder.config()), rng_(rng), half_(config_.hidden_size / 2) {
        for (int64_t pair = 0; pair < config_.head_dim / 2; ++pair)
            angles_.push_back(
                std::pow(config_.rope_theta, -2.0 * static_cast<double>(pair) / static_cast<double>(config_.head_dim)));
    }

    void write(Decoder& decoder, const std::vector<SpacePair>& space_pairs) {
        join_space_pairs(decoder.embedding(), space_pairs);
        prepare_embedding(decoder.embedding());
        const DecoderLayer& back = decoder.layer_weights()[0];
        const DecoderLayer& match = decoder.layer_weights()[1];
        const Stream first = stream_of(1), second = stream_of(2);
        for (int64_t group = 0; group < config_.kv_heads; ++group) {
            const Head looking = head_of(back, group, 0);
            clear(looking);
            look_back(looking, 1, first.constant);
            hold_embedding(looking, group);
            write_embedding(looking, group, half_, kDeviation / first.deviation);
            head_of(back, group, 1).output.zero_();  // shares strong values, for which it has no use yet

            const Head finding = head_of(match, group, 0), removing = head_of(match, group, 1);
            clear(finding);
            clear(removing);
            look_for_current(finding, second);
            look_back(removing, 0, second.constant);
            hold_embedding(finding, group);
            write_embedding(finding, group, 0, 2 * kDeviation / second.deviation);
            write_embedding(removing, group, 0, -kDeviation / second.deviation);
        }
    }

private:
    // The stream with one or both halves filled.
    Stream stream_of(int64_t halves) const {
        const double filled =
            static_cast<double>(halves) * (static_cast<double>(half_ - 1) * kDeviation * kDeviation + kConstant * kConstant);
        const double rms = std::sqrt(filled / static_cast<double>(config_.hidden_size));
        return {kDeviation / rms, kConstant / rms};
    }

    void join_space_pairs(const at::Tensor& embedding, const std::vector<SpacePair>& space_pairs) const {
        const int64_t mark = half_ - 2;
        for (const auto& [with_blank, without] : space_pairs) {
            embedding[with_blank].copy_(embedding[without]);
            const double size = kBlankShare * embedding[without].narrow(0, 0, mark).norm().item<double>();
            embedding[with_blank][mark].fill_(size);
            embedding[without][mark].fill_(-size);
        }
    }

    void prepare_embedding(const at::Tensor& embedding) {
        // Of one length, so that the norm leaves every token the same constant.
        const at::Tensor tokens = embedding.index({Slice(), Slice(0, half_ - 1)});
        tokens.mul_(kDeviation * std::sqrt(static_cast<double>(half_ - 1)) / tokens.norm(2, {1}, true));
        embedding.index({Slice(), half_ - 1}).fill_(kConstant);
        embedding.index({Slice(), Slice(half_)}).zero_();
    }

    // The rows of a query head and of the key and value that its group shares; its columns of the output.
    struct Head {
        at::Tensor query, key, value, output;
    };
    Head head_of(const DecoderLayer& layer, int64_t group, int64_t member) const {
        const int64_t dim = config_.head_dim, head = 2 * group + member;
        const auto rows = [&](size_t projection, int64_t index) {
            return layer.qkv.projection_weight(projection).narrow(0, index * dim, dim);
        };
        return {rows(0, head), rows(1, group), rows(2, group), layer.o.weight.narrow(1, head * dim, dim)};
    }
    static void clear(const Head& head) {
        for (const at::Tensor& part : {head.query, head.key, head.value, head.output}) part.zero_();
    }

    // Queries and keys of the constant alone, turned so that the key `distance` tokens back fits best.
    void look_back(const Head& head, int64_t distance, double constant) const {
        const int64_t pairs = config_.head_dim / 2;
        int64_t fast = 0;
        double gap = 0;  // between the best place and the next, of unit queries and keys
        for (; fast < pairs && angles_[static_cast<size_t>(fast)] > kFast; ++fast)
            gap += 1 - std::cos(angles_[static_cast<size_t>(fast)]);
        const double unit = std::sqrt(kPlaceMargin * std::sqrt(static_cast<double>(config_.head_dim)) / gap) / constant;
        for (int64_t pair = 0; pair < fast; ++pair) {
            const double turn = static_cast<double>(distance) * angles_[static_cast<size_t>(pair)];
            head.query[pair][half_ - 1].fill_(unit);
            head.key[pair][half_ - 1].fill_(unit * std::cos(turn));
            head.key[pair + pairs][half_ - 1].fill_(unit * std::sin(turn));
        }
    }

    // Queries of the current token's embedding, keys of the one that layer 0 wrote, in the slow rotary pairs.
    void look_for_current(const Head& head, const Stream& stream) {
        const int64_t pairs = config_.head_dim / 2;
        std::vector<int64_t> slow;
        for (int64_t pair = 0; pair < pairs; ++pair)
            if (angles_[static_cast<size_t>(pair)] < kSlow) slow.insert(slow.end(), {pair, pair + pairs});
        const auto count = static_cast<int64_t>(slow.size());
        at::Tensor random = at::empty({half_ - 1, count});
        float* values = random.mutable_data_ptr<float>();
        for (int64_t i = 0; i < random.numel(); ++i) values[i] = static_cast<float>(rng_.normal());
        const at::Tensor directions = std::get<0>(at::linalg_qr(random)).t();  // [count, half - 1], orthonormal
        // A match of `count` dimensions scores scale^2 * deviation^2 * count / sqrt(head_dim).
        const double scale =
            std::sqrt(kMatchMargin * std::sqrt(static_cast<double>(config_.head_dim)) / static_cast<double>(count)) /
            stream.deviation;
        for (int64_t i = 0; i < count; ++i) {
            head.query[slow[static_cast<size_t>(i)]].narrow(0, 0, half_ - 1).copy_(directions[i] * scale);
            head.key[slow[static_cast<size_t>(i)]].narrow(0, half_, half_ - 1).copy_(directions[i] * scale);
        }
    }

    // Values: slice `slice` of the token's embedding.
    void hold_embedding(const Head& head, int64_t slice) const {
        for (int64_t i = 0; i < config_.head_dim; ++i) head.value[i][slice * config_.head_dim + i].fill_(1);
    }
    // Outputs: the same slice from dimension `target` on.
    void write_embedding(const Head& head, int64_t slice, int64_t target, double gain) const {
        for (int64_t i = 0; i < config_.head_dim; ++i) head.output[target + slice * config_.head_dim + i][i].fill_(gain);
    }

    const DecoderConfig& config_;
    Rng& rng_;
    int64_t half_;
    std::vector<double> angles_;  // of the rotary pairs, radians a token
};

}  // namespace

std::vector<SpacePair> space_pairs_of(const Tokenizer& tokenizer) {
    std::unordered_map<std::string, int64_t> spellings;
    for (int64_t id = 0; id < tokenizer.vocabulary_size(); ++id) spellings.emplace(tokenizer.decode({id}, true), id);
    std::vector<SpacePair> space_pairs;
    for (int64_t id = 0; id < tokenizer.vocabulary_size(); ++id) {
        const std::string spelling = tokenizer.decode({id}, true);
        if (spelling.size() < 2 || spelling[0] != ' ' || spelling[1] == ' ') continue;
        if (const auto twin = spellings.find(spelling.substr(1)); twin != spellings.end())
            space_pairs.push_back({id, twin->second});
    }
    return space_pairs;
}

void write_copying_heads(Decoder& decoder, Rng& rng, const std::vector<SpacePair>& space_pairs) {
    const DecoderConfig& config = decoder.config();
    if (config.layers < 2 || config.heads != 2 * config.kv_heads || config.heads * config.head_dim != config.hidden_size ||
        !config.tied_embeddings)
        throw std::logic_error(
            "copying heads need two layers, heads in pairs that share keys and values, and tied embeddings");
    const c10::NoGradGuard no_grad;
    Circuit(decoder, rng).write(decoder, space_pairs);
}

}  // namespace craft
