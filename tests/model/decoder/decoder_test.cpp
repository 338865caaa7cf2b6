#include "model/decoder/decoder.h"

#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include <cmath>

#include "core/error.h"
#include "core/json.h"
#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

using test::lively_decoder;
using test::random_tokens;
using test::small_config;

// The decoder written down plainly: one row, full masks, repeated keys, elementary operations.
at::Tensor plain_hidden(const Decoder& d, const std::vector<int64_t>& row) {
    const DecoderConfig& c = d.config();
    const int64_t n = static_cast<int64_t>(row.size()), group = c.heads / c.kv_heads, half = c.head_dim / 2;
    const auto norm = [&](const at::Tensor& x, const at::Tensor& w) {
        return x * (x.square().mean(-1, true) + c.rms_norm_eps).rsqrt() * w;
    };
    const at::Tensor positions = at::arange(n, at::kDouble);
    const at::Tensor angles = at::outer(
        positions, at::pow(c.rope_theta, at::arange(0, half, at::kDouble) * (-2.0 / static_cast<double>(c.head_dim))));
    const auto turn = [&](const at::Tensor& x) {  // [heads, n, head_dim]
        const at::Tensor a = x.narrow(-1, 0, half), b = x.narrow(-1, half, half);
        return at::cat({a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()}, -1);
    };
    at::Tensor x = d.embedding().index_select(0, at::tensor(row));
    const at::Tensor hidden_from = at::full({n, n}, -INFINITY, at::kDouble).triu(1);
    for (const DecoderLayer& layer : d.layer_weights()) {
        const at::Tensor qkv = at::mm(norm(x, layer.before_attention.weight), layer.qkv.merged_weight().t())
                                   .view({n, -1, c.head_dim})
                                   .transpose(0, 1);
        const at::Tensor q = turn(qkv.narrow(0, 0, c.heads));
        const at::Tensor k = turn(qkv.narrow(0, c.heads, c.kv_heads)).repeat_interleave(group, 0);
        const at::Tensor v = qkv.narrow(0, c.heads + c.kv_heads, c.kv_heads).repeat_interleave(group, 0);
        const at::Tensor scores = at::bmm(q, k.transpose(1, 2)) / std::sqrt(static_cast<double>(c.head_dim)) + hidden_from;
        const at::Tensor o = at::bmm(scores.softmax(-1), v).transpose(0, 1).reshape({n, -1});
        x = x + at::mm(o, layer.o.merged_weight().t());
        const at::Tensor gate_up = at::mm(norm(x, layer.before_feed_forward.weight), layer.gate_up.merged_weight().t());
        const at::Tensor gate = gate_up.narrow(1, 0, c.intermediate_size),
                         up = gate_up.narrow(1, c.intermediate_size, c.intermediate_size);
        x = x + at::mm(gate * gate.sigmoid() * up, layer.down.merged_weight().t());
    }
    return norm(x, d.final_norm().weight);
}

std::vector<TokenTree> random_trees(Rng& rng, int64_t vocabulary) {
    std::vector<TokenTree> trees;
    for (int64_t t = 0; t < 5; ++t) {
        TokenTree tree{random_tokens(rng, t == 0 ? 0 : rng.between(1, 40), vocabulary), {}};
        for (int64_t b = rng.between(1, 3); b > 0; --b) {
            MaskedTokens branch{random_tokens(rng, rng.between(1, 30), vocabulary), {}};
            for (size_t i = 0; i < branch.tokens.size(); ++i)
                branch.counted.push_back((i > 0 || !tree.prefix.empty()) && rng.below(4) > 0 ? 1 : 0);
            if (!tree.branches.empty() && rng.below(2) == 0) {
                const std::vector<int64_t>& first = tree.branches[0].tokens;
                const size_t common =
                    std::min({first.size(), branch.tokens.size(), static_cast<size_t>(rng.between(1, 20))});
                std::copy_n(first.begin(), common, branch.tokens.begin());
            }
            tree.branches.push_back(branch);
        }
        trees.push_back(tree);
    }
    return trees;
}

// Every path of every tree as a tree of its own.
std::vector<TokenTree> separate(const std::vector<TokenTree>& trees) {
    std::vector<TokenTree> rows;
    for (const TokenTree& tree : trees)
        for (const MaskedTokens& branch : tree.branches) {
            TokenTree row{{}, {{tree.prefix, std::vector<uint8_t>(tree.prefix.size(), 0)}}};
            row.branches[0].tokens.insert(row.branches[0].tokens.end(), branch.tokens.begin(), branch.tokens.end());
            row.branches[0].counted.insert(row.branches[0].counted.end(), branch.counted.begin(), branch.counted.end());
            rows.push_back(row);
        }
    return rows;
}

// The same sum over targets, weighted by branch, so that gradients of different branches cannot stand in for each other.
at::Tensor weighted_sum(const Decoder& d, const std::vector<TokenTree>& trees, int64_t first_branch = 0) {
    const PackedBatch batch = pack(trees, at::kCPU);
    return (target_logprobs(d, batch) * (batch.target_branch + first_branch + 1).to(d.dtype())).sum();
}

TEST(Decoder, AgreesWithThePlainFormula) {
    const Decoder d = lively_decoder(small_config(false), at::kDouble);
    Rng rng(1, "plain");
    const auto row = random_tokens(rng, 33, 61);
    const PackedBatch batch = pack({{row, {{{}, {}}}}}, at::kCPU);
    const at::Tensor expected = plain_hidden(d, row);
    // Rotary angles are float32 in the decoder: 33 positions * 6e-8.
    EXPECT_LT((d.hidden(batch) - expected).abs().max().item<double>(), 2e-5);
    EXPECT_GT(expected.std().item<double>(), 0.1);
}

TEST(Decoder, PackedTreesEqualSeparateRows) {
    for (const bool full : {false, true}) {
        Decoder d = lively_decoder(small_config(), at::kDouble);
        Rng rng(2, "trees");
        if (full) {
            d.train_all_weights();
        } else {
            d.add_adapter({.rank = 4, .alpha = 8, .targets = {"all-linear"}}, rng);
            test::make_adapter_matter(d);
        }
        const auto trees = random_trees(rng, 61);
        const at::Tensor packed = weighted_sum(d, trees);
        packed.backward();
        std::vector<at::Tensor> gradients;
        for (const auto& [name, leaf] : d.trainable()) {
            ASSERT_TRUE(leaf.grad().defined()) << name;
            gradients.push_back(leaf.grad().clone());
            leaf.mutable_grad().zero_();
        }
        double sum = 0;
        const auto rows = separate(trees);
        for (size_t i = 0; i < rows.size(); ++i) {
            const at::Tensor one = weighted_sum(d, {rows[i]}, static_cast<int64_t>(i));
            if (one.requires_grad()) one.backward();
            sum += one.item<double>();
        }
        EXPECT_NEAR(packed.item<double>(), sum, 1e-9 * std::abs(sum));
        const auto trainable = d.trainable();
        for (size_t i = 0; i < gradients.size(); ++i) {
            const auto& [name, leaf] = trainable[i];
            EXPECT_LT((gradients[i] - leaf.grad()).abs().max().item<double>(),
                      1e-9 * (1 + gradients[i].abs().max().item<double>()))
                << name;
            EXPECT_GT(gradients[i].abs().max().item<double>(), 1e-6) << name;
        }
    }
}

// Central differences through everything: one direction in the space of all trained weights.
TEST(Decoder, GradientsAgreeWithCentralDifferences) {
    for (const bool full : {false, true}) {
        Decoder d = lively_decoder(small_config(full), at::kDouble);
        Rng rng(4, "differences");
        if (full) {
            d.train_all_weights();
        } else {
            d.add_adapter({.rank = 3, .alpha = 5, .dropout = 0.3, .targets = {"q_proj", "v_proj", "up_proj", "down_proj"}},
                          rng);
            test::make_adapter_matter(d);
        }
        const auto trees = random_trees(rng, 61);
        // Masks are a function of the seed, so the loss is a smooth function of the weights.
        if (!full) d.set_dropout({{pack(trees, at::kCPU).token_count(), 11}});
        weighted_sum(d, trees).backward();
        double slope = 0;
        std::vector<at::Tensor> directions;
        for (const auto& [name, leaf] : d.trainable()) {
            directions.push_back(
                at::empty_like(leaf).uniform_(-1, 1, at::make_generator<at::CPUGeneratorImpl>(directions.size())));
            slope += (leaf.grad() * directions.back()).sum().item<double>();
        }
        const double step = 1e-6;
        const auto moved = [&](double by) {
            at::NoGradGuard guard;
            for (size_t i = 0; i < directions.size(); ++i) d.trainable()[i].second.detach().add_(directions[i], by);
            const double value = weighted_sum(d, trees).item<double>();
            for (size_t i = 0; i < directions.size(); ++i) d.trainable()[i].second.detach().sub_(directions[i], by);
            return value;
        };
        EXPECT_NEAR((moved(step) - moved(-step)) / (2 * step), slope, 1e-5 * std::abs(slope) + 1e-4);
        EXPECT_GT(std::abs(slope), 1e-2);
    }
}

TEST(Decoder, TargetLogprobsAreLogSoftmaxValues) {
    const Decoder d = lively_decoder(small_config(), at::kDouble);
    Rng rng(5, "softmax");
    const auto row = random_tokens(rng, 20, 61);
    std::vector<uint8_t> counted(row.size(), 1);
    counted[0] = 0;
    const PackedBatch batch = pack({{{}, {{row, counted}}}}, at::kCPU);
    const at::Tensor all = at::log_softmax(d.logits(d.hidden(batch)), -1);
    const at::Tensor logprobs = target_logprobs(d, batch);
    for (int64_t i = 1; i < 20; ++i)
        EXPECT_NEAR(logprobs[i - 1].item<double>(), all[i - 1][row[static_cast<size_t>(i)]].item<double>(), 1e-12);
}

TEST(Decoder, SavesAndLoadsTheSameWeights) {
    for (const bool tied : {false, true}) {
        const TemporaryFolder folder;
        Rng rng(6, "save");
        const Decoder d = Decoder::initialise(small_config(tied), rng);
        d.save(folder.path(), at::kFloat);
        const Decoder again = Decoder::load(folder.path(), at::kFloat, at::kCPU);
        const auto row = random_tokens(rng, 9, 61);
        const PackedBatch batch = pack({{row, {{{}, {}}}}}, at::kCPU);
        EXPECT_TRUE(at::equal(d.logits(d.hidden(batch)), again.logits(again.hidden(batch))));
        EXPECT_EQ(again.config().end_tokens, (std::vector<int64_t>{2, 5}));
        EXPECT_EQ(again.config().bos_token, 1);
        EXPECT_EQ(again.config().tied_embeddings, tied);
    }
}

TEST(Decoder, ATiedMatrixMayBeStoredAsTheHeadAlone) {
    const TemporaryFolder folder;
    Rng rng(6, "save");
    const Decoder d = Decoder::initialise(small_config(true), rng);
    d.save(folder.path(), at::kFloat);
    const auto file = folder.path() / "model.safetensors";
    NamedTensors tensors;
    for (const std::string& name : SafetensorsFile(file).names())
        tensors.emplace_back(name == "model.embed_tokens.weight" ? "lm_head.weight" : name,
                             SafetensorsFile(file).tensor(name));
    write_safetensors(file, tensors);
    EXPECT_TRUE(at::equal(Decoder::load(folder.path(), at::kFloat, at::kCPU).embedding(), d.embedding()));
    Json config = read_json_file(folder.path() / "config.json");
    config["tie_word_embeddings"] = false;
    write_json_file(folder.path() / "config.json", config);
    EXPECT_THROW(Decoder::load(folder.path(), at::kFloat, at::kCPU), Error);
}

TEST(Decoder, RefusesTokensOutsideTheVocabulary) {
    const Decoder d = lively_decoder(small_config(), at::kFloat);
    EXPECT_THROW(d.hidden(pack({{{1, 61}, {{{}, {}}}}}, at::kCPU)), Error);
}

TEST(Decoder, ConfigOfAnotherKindIsRefused) {
    const TemporaryFolder folder;
    Rng rng(7, "config");
    Decoder::initialise(small_config(), rng).save(folder.path(), at::kFloat);
    const Json good = read_json_file(folder.path() / "config.json");
    const auto refused = [&](const std::string& key, const Json& value, const std::string& named) {
        Json bad = good;
        bad[key] = value;
        write_json_file(folder.path() / "config.json", bad);
        try {
            read_decoder_config(folder.path());
            ADD_FAILURE() << key << " was accepted";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find(named), std::string::npos) << error.what();
        }
    };
    refused("architectures", {"FalconForCausalLM"}, "LlamaForCausalLM");
    refused("hidden_size", nullptr, "hidden_size");
    refused("hidden_size", -4, "hidden_size");
    refused("num_key_value_heads", 3, "num_key_value_heads");
    refused("rope_scaling", {{"rope_type", "llama3"}, {"factor", 8.0}}, "low_freq_factor");
    refused("rope_scaling", {{"type", "ntk"}, {"factor", 8.0}}, "rope_scaling");
    refused("rope_scaling", {{"type", "yarn"}, {"factor", 8.0}, {"beta_fast", 1.0}}, "beta_fast");
    refused("attention_bias", 1, "attention_bias");
    refused("hidden_act", "quick_gelu", "hidden_act");
    refused("num_hidden_layers", 1000000000, "num_hidden_layers");
    Json moved = good;  // transformers 5 keeps theta here alone
    moved.erase("rope_theta");
    moved["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 500000.0}};
    write_json_file(folder.path() / "config.json", moved);
    EXPECT_EQ(read_decoder_config(folder.path()).rope_theta, 500000.0);
    Json misshaped = good;
    misshaped["intermediate_size"] = 41;
    write_json_file(folder.path() / "config.json", misshaped);
    EXPECT_THROW(Decoder::load(folder.path(), at::kFloat, at::kCPU), Error);
}

}  // namespace
}  // namespace craft
