#include <gtest/gtest.h>
#include <torch/autograd.h>
#include <torch/types.h>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft {
namespace {

namespace fs = std::filesystem;
using test::lively_decoder;
using test::random_tokens;
using test::small_config;

PackedBatch some_batch(uint64_t seed = 1) {
    Rng rng(seed, "adapter batch");
    return pack({{random_tokens(rng, 17, 61), {{random_tokens(rng, 6, 61), {1, 1, 1, 1, 1, 1}}}}}, at::kCPU);
}

TEST(Adapter, ZeroBIsTheBase) {
    Decoder d = lively_decoder(small_config(), at::kFloat);
    const at::Tensor base = target_logprobs(d, some_batch());
    Rng rng(1, "lora");
    d.add_adapter({.targets = {"all-linear"}}, rng);
    EXPECT_TRUE(at::equal(base, target_logprobs(d, some_batch()).detach()));
    EXPECT_EQ(d.trainable().size(), 3u * 7 * 2);
    test::make_adapter_matter(d);
    EXPECT_GT((base - target_logprobs(d, some_batch())).abs().max().item<double>(), 1e-3);
}

TEST(Adapter, SwitchedOffItIsTheBase) {
    const TemporaryFolder folder;
    Decoder d = lively_decoder(small_config(), at::kFloat);
    const at::Tensor base = target_logprobs(d, some_batch());
    EXPECT_TRUE(at::equal(base, target_logprobs(d.without_adapter(), some_batch())));
    Rng rng(1, "lora");
    d.add_adapter({.targets = {"all-linear"}}, rng);
    test::make_adapter_matter(d);
    const at::Tensor with = target_logprobs(d, some_batch()).detach();
    const Decoder off = d.without_adapter();
    EXPECT_TRUE(at::equal(base, target_logprobs(off, some_batch())));
    EXPECT_FALSE(off.adapter().has_value());
    EXPECT_TRUE(at::equal(with, target_logprobs(d, some_batch()).detach())) << "the decoder keeps its own";
    d.save_adapter(folder.path());
    Decoder frozen = lively_decoder(small_config(), at::kFloat);
    frozen.load_adapter(folder.path(), false);
    EXPECT_THROW(frozen.without_adapter(), Error);
    EXPECT_FALSE(d.merged().adapter().has_value());
    EXPECT_GT((base - target_logprobs(d.merged().without_adapter(), some_batch())).abs().max().item<double>(), 1e-3);
}

TEST(Adapter, StartsAsPeftDoes) {
    Decoder d = lively_decoder(small_config(), at::kFloat);
    Rng rng(1, "lora");
    d.add_adapter({.rank = 16}, rng);
    const auto leaves = d.trainable();
    ASSERT_EQ(leaves.size(), 3u * 4 * 2);
    EXPECT_EQ(leaves[0].first, "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight");
    EXPECT_EQ(leaves[7].first, "base_model.model.model.layers.0.self_attn.o_proj.lora_B.weight");
    const double bound = 1 / std::sqrt(24.0);
    const at::Tensor& a = leaves[0].second;
    EXPECT_LE(a.abs().max().item<double>(), bound);
    EXPECT_GT(a.abs().max().item<double>(), 0.95 * bound);
    EXPECT_NEAR(a.std().item<double>(), bound / std::sqrt(3.0), 0.1 * bound);
    EXPECT_EQ(leaves[1].second.abs().max().item<double>(), 0);
}

TEST(Adapter, RoundTripAndMerge) {
    const TemporaryFolder folder;
    Decoder d = lively_decoder(small_config(), at::kFloat);
    Rng rng(2, "lora");
    d.add_adapter({.rank = 5, .alpha = 7.5, .dropout = 0.25, .targets = {"q_proj", "down_proj"}}, rng);
    test::make_adapter_matter(d);
    d.save_adapter(folder.path());
    const at::Tensor expected = target_logprobs(d, some_batch()).detach();

    Decoder again = lively_decoder(small_config(), at::kFloat);
    again.load_adapter(folder.path(), false);
    EXPECT_TRUE(at::equal(expected, target_logprobs(again, some_batch())));
    EXPECT_TRUE(again.trainable().empty());
    EXPECT_EQ(again.adapter()->rank, 5);
    EXPECT_EQ(again.adapter()->alpha, 7.5);
    EXPECT_EQ(again.adapter()->dropout, 0.25);
    EXPECT_LT((target_logprobs(again.merged(), some_batch()) - expected).abs().max().item<double>(), 1e-4);

    const std::string bytes = read_file(folder.path() / "adapter_model.safetensors");
    again.save_adapter(folder.path());
    EXPECT_EQ(bytes, read_file(folder.path() / "adapter_model.safetensors"));
}

// Of many tokens the adapter is added to the weight first, of few it is not (linear.cpp): 30 trees at once are the former,
// one by one the latter.
TEST(Adapter, IsTheSameForManyTokensAndForFew) {
    Decoder d = lively_decoder(small_config(), at::kDouble);
    Rng rng(4, "lora");
    d.add_adapter({.rank = 3, .alpha = 6, .targets = {"all-linear"}}, rng);
    test::make_adapter_matter(d);
    std::vector<TokenTree> trees;
    for (int i = 0; i < 30; ++i) trees.push_back({random_tokens(rng, 15, 61), {{random_tokens(rng, 4, 61), {1, 1, 1, 1}}}});
    std::vector<at::Tensor> leaves;
    for (const auto& [name, leaf] : d.trainable()) leaves.push_back(leaf);
    const auto gradients = [&](const std::vector<TokenTree>& some, at::Tensor* logprobs) {
        const at::Tensor out = target_logprobs(d, pack(some, at::kCPU));
        *logprobs = out.detach();
        return torch::autograd::grad({out.sum()}, leaves);
    };
    at::Tensor together;
    const auto at_once = gradients(trees, &together);
    std::vector<at::Tensor> apart, summed;
    for (const TokenTree& tree : trees) {
        const auto part = gradients({tree}, &apart.emplace_back());
        for (size_t i = 0; i < part.size(); ++i) {
            if (summed.size() <= i) summed.push_back(at::zeros_like(part[i]));
            summed[i].add_(part[i]);
        }
    }
    EXPECT_TRUE(at::allclose(together, at::cat(apart), 1e-9, 1e-9));
    for (size_t i = 0; i < summed.size(); ++i)
        EXPECT_TRUE(at::allclose(at_once[i], summed[i], 1e-8, 1e-8)) << d.trainable()[i].first;
}

TEST(Adapter, DropoutActsOnlyWithASeedAndRepeats) {
    Decoder d = lively_decoder(small_config(), at::kFloat);
    Rng rng(3, "lora");
    d.add_adapter({.dropout = 0.5}, rng);
    test::make_adapter_matter(d);
    const at::Tensor off = target_logprobs(d, some_batch()).detach();
    d.set_dropout({{some_batch().token_count(), 1}});
    const at::Tensor one = target_logprobs(d, some_batch()).detach();
    d.set_dropout({{some_batch().token_count(), 2}});
    const at::Tensor two = target_logprobs(d, some_batch()).detach();
    d.set_dropout({{some_batch().token_count(), 1}});
    EXPECT_TRUE(at::equal(one, target_logprobs(d, some_batch()).detach()));
    EXPECT_FALSE(at::equal(one, two));
    EXPECT_FALSE(at::equal(one, off));
    d.set_dropout({});
    EXPECT_TRUE(at::equal(off, target_logprobs(d, some_batch()).detach()));
}

TEST(Adapter, RefusesWhatItCannotApply) {
    const TemporaryFolder folder;
    Decoder d = lively_decoder(small_config(), at::kFloat);
    Rng rng(4, "lora");
    EXPECT_THROW(d.add_adapter({.targets = {"q_prj"}}, rng), Error);
    EXPECT_THROW(d.add_adapter({.rank = 0}, rng), Error);
    EXPECT_THROW(d.add_adapter({.ranks = {{"down_proj", 4}}}, rng), Error);
    d.add_adapter({}, rng);
    EXPECT_THROW(d.add_adapter({}, rng), Error);
    d.save_adapter(folder.path());
    const Json good = read_json_file(folder.path() / "adapter_config.json");
    const auto refused = [&](const std::string& key, const Json& value) {
        Json bad = good;
        bad[key] = value;
        write_json_file(folder.path() / "adapter_config.json", bad);
        Decoder fresh = lively_decoder(small_config(), at::kFloat);
        EXPECT_THROW(fresh.load_adapter(folder.path(), true), Error) << key;
        EXPECT_FALSE(fresh.adapter().has_value());
        EXPECT_TRUE(fresh.trainable().empty());
    };
    refused("peft_type", "IA3");
    refused("use_dora", true);
    refused("bias", "all");
    refused("r", 8);                                                                 // the tensors have rank 16
    refused("target_modules", {"q_proj"});                                           // tensors without a target
    refused("target_modules", {"q_proj", "k_proj", "v_proj", "o_proj", "up_proj"});  // a target without tensors
    refused("rank_pattern", {{"q_proj", 4}});
    refused("alpha_pattern", {{"q_prj", 4}});      // matches nothing
    refused("alpha_pattern", {{"down_proj", 4}});  // matches what is no target
    refused("rank_pattern", {{"(", 4}});
    refused("rank_pattern", {{"nothing", 0}});
    refused("init_lora_weights", "pissa");
    refused("modules_to_save", {"lm_head"});  // no such tensor
    refused("modules_to_save", {"no_such_module"});
    refused("target_modules", ".*self_attn.*");  // attention itself is no projection
    refused("target_modules", "q_proj");         // an expression of whole names: nothing
    refused("layers_pattern", "layers");         // without layers
    refused("trainable_token_indices", {1, 2});
    refused("lora_alpha", "8");
    refused("r", -1);
    std::filesystem::rename(folder.path() / "adapter_model.safetensors", folder.path() / "adapter_model.bin");
    refused("r", 16);
}

std::string failure_of_loading(const std::filesystem::path& folder) {
    try {
        Decoder fresh = lively_decoder(small_config(), at::kFloat);
        fresh.load_adapter(folder, true);
    } catch (const Error& error) {
        return error.what();
    }
    return "loaded";
}

TEST(Adapter, ErrorsNameFileAndTensor) {
    const TemporaryFolder folder;
    Decoder d = lively_decoder(small_config(), at::kFloat);
    Rng rng(4, "lora");
    d.add_adapter({.rank = 2, .targets = {"q_proj"}}, rng);
    d.save_adapter(folder.path());
    NamedTensors good;
    {
        const SafetensorsFile file(folder.path() / "adapter_model.safetensors");
        for (const std::string& name : file.names()) good.emplace_back(name, file.tensor(name));
    }
    const auto failure = [&](const NamedTensors& tensors) {
        write_safetensors(folder.path() / "adapter_model.safetensors", tensors);
        return failure_of_loading(folder.path());
    };
    const std::string first = good[0].first;
    EXPECT_EQ(failure(good), "loaded");
    const auto expect_named = [&](const NamedTensors& tensors, const std::vector<std::string>& parts) {
        const std::string line = failure(tensors);
        for (const std::string& part : parts) EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
    };
    // One layer's halves come first; without both of them the rest is the adapter of a model that lacks the layer's target.
    expect_named({good.begin() + 2, good.end()},
                 {"adapter_model.safetensors", first, "none of that name (the adapter belongs to another model)"});
    expect_named({good.begin() + 1, good.end()},
                 {"adapter_model.safetensors", "no 'model.layers.0.self_attn.q_proj.lora_A"});
    NamedTensors bad = good;
    bad[0].second = at::zeros({2, 23});  // of a model whose hidden size is 23
    expect_named(bad,
                 {"adapter_model.safetensors", first, "expected shape [2, 24], got shape [2, 23] (the adapter belongs"});
    bad[0].second = good[0].second.to(at::kInt);
    expect_named(bad, {"adapter_model.safetensors", first, "Int"});
    bad = good;
    bad.emplace_back("base_model.model.model.layers.9.mlp.up_proj.lora_A.weight", at::zeros({2, 24}));
    bad.emplace_back("base_model.model.model.layers.9.mlp.up_proj.lora_B.weight", at::zeros({40, 2}));
    expect_named(bad, {"adapter_model.safetensors", "layers.9.mlp.up_proj", "besides"});
    bad = good;
    bad.emplace_back(first.substr(std::string("base_model.model.").size()), good[0].second);
    expect_named(bad, {"adapter_model.safetensors", "with and without"});
}

// What PEFT calls modules_to_save is trained as a whole, kept apart from the base and written again.
TEST(Adapter, ReplacedModulesAreTrainedAndKept) {
    const TemporaryFolder folder, again;
    const Decoder base = lively_decoder(small_config(), at::kFloat);  // tied
    Decoder d = base;
    Rng rng(5, "lora");
    d.add_adapter({.rank = 2, .targets = {"q_proj"}}, rng);
    d.save_adapter(folder.path());
    Json config = read_json_file(folder.path() / "adapter_config.json");
    config["modules_to_save"] = {"lm_head", "model.norm"};
    config["rank_pattern"] = {{"layers.0.self_attn.q_proj", 2}};
    write_json_file(folder.path() / "adapter_config.json", config);
    NamedTensors tensors = {{"base_model.model.lm_head.weight", base.head() * 2},
                            {"base_model.model.model.norm.weight", at::full({24}, 0.5)}};
    {
        const SafetensorsFile file(folder.path() / "adapter_model.safetensors");
        for (const std::string& name : file.names()) tensors.emplace_back(name, file.tensor(name));
    }
    write_safetensors(folder.path() / "adapter_model.safetensors", tensors);

    const at::Tensor before = target_logprobs(base, some_batch());
    Decoder loaded = base;
    loaded.load_adapter(folder.path(), true);
    EXPECT_TRUE(at::equal(before, target_logprobs(base, some_batch())));
    EXPECT_FALSE(loaded.config().tied_embeddings);
    EXPECT_TRUE(at::equal(loaded.embedding(), base.embedding()));
    std::vector<std::string> names;
    for (const auto& [name, leaf] : loaded.trainable()) names.push_back(name);
    EXPECT_EQ(names.size(), 3u * 2 + 2);
    EXPECT_NE(std::find(names.begin(), names.end(), "lm_head.weight"), names.end());
    target_logprobs(loaded, some_batch()).sum().backward();
    for (const auto& [name, leaf] : loaded.trainable()) {
        if (name.find("lora_A") == std::string::npos) {  // B is zero
            EXPECT_GT(leaf.grad().abs().max().item<double>(), 0) << name;
        }
        at::Tensor values = leaf.detach();
        values.add_(0.01);
    }
    EXPECT_TRUE(at::equal(before, target_logprobs(loaded.without_adapter(), some_batch()))) << "what it replaced is back";
    loaded.save_adapter(again.path());
    Decoder reloaded = base;
    reloaded.load_adapter(again.path(), false);
    EXPECT_TRUE(at::equal(target_logprobs(loaded, some_batch()).detach(), target_logprobs(reloaded, some_batch())));
    const Json kept = read_json_file(again.path() / "adapter_config.json");
    for (const char* key : {"modules_to_save", "rank_pattern", "target_modules", "r"})
        EXPECT_EQ(kept[key], config[key]) << key;
}

// ... and a replaced head also under the names of its wrapper's parts.
TEST(Adapter, ReplacedHeadUnderAllItsNames) {
    const TemporaryFolder folder;
    const Decoder base = lively_decoder(small_config(false), at::kFloat);
    Decoder d = base;
    Rng rng(5, "lora");
    d.add_adapter({.rank = 2, .targets = {"q_proj"}}, rng);
    d.save_adapter(folder.path());
    Json config = read_json_file(folder.path() / "adapter_config.json");
    config["modules_to_save"] = {"lm_head"};
    write_json_file(folder.path() / "adapter_config.json", config);
    const fs::path path = folder.path() / "adapter_model.safetensors";
    NamedTensors own;
    for (const std::string& name : SafetensorsFile(path).names()) own.emplace_back(name, SafetensorsFile(path).tensor(name));
    const auto with = [&](const at::Tensor& again) {
        NamedTensors tensors = own;
        const std::string head = "base_model.model.lm_head.";
        tensors.emplace_back(head + "weight", base.head() * 2);
        tensors.emplace_back(head + "modules_to_save.weight", again);
        tensors.emplace_back(head + "original_module.weight", base.head());
        tensors.emplace_back("base_model.model.model.embed_tokens.weight", base.embedding());
        write_safetensors(path, tensors);
        Decoder loaded = base;
        loaded.load_adapter(folder.path(), false);
        return loaded;
    };
    EXPECT_TRUE(at::equal(with(base.head() * 2).head(), base.head() * 2));
    EXPECT_THROW(with(base.head() * 3), Error);
}

// PEFT's save_embedding_layers writes a tied matrix under both its names.
TEST(Adapter, TiedMatrixBesideTheAdapter) {
    const TemporaryFolder folder;
    const Decoder base = lively_decoder(small_config(), at::kFloat);  // tied
    Decoder d = base;
    Rng rng(8, "lora");
    d.add_adapter({.rank = 2, .targets = {"q_proj"}}, rng);
    d.save_adapter(folder.path());
    const fs::path file = folder.path() / "adapter_model.safetensors";
    NamedTensors own;
    for (const std::string& name : SafetensorsFile(file).names()) own.emplace_back(name, SafetensorsFile(file).tensor(name));
    const auto with = [&](const std::vector<std::pair<std::string, at::Tensor>>& more) {
        NamedTensors tensors = own;
        for (const auto& [name, tensor] : more) tensors.emplace_back("base_model.model." + name, tensor);
        write_safetensors(file, tensors);
        Decoder loaded = base;
        loaded.load_adapter(folder.path(), false);
        return loaded;
    };
    const at::Tensor larger = base.embedding() * 1.5;
    const std::string embedding = "model.embed_tokens.weight", head = "lm_head.weight";
    for (const Decoder& loaded :
         {with({{embedding, larger}, {head, larger}}), with({{head, larger}}), with({{embedding, larger}})}) {
        EXPECT_TRUE(loaded.config().tied_embeddings);
        EXPECT_TRUE(at::equal(loaded.embedding(), larger));
        EXPECT_TRUE(at::equal(loaded.head(), larger));
    }
    EXPECT_THROW(with({{embedding, larger}, {head, larger * 2}}), Error);
}

// The embedding and the head by themselves: as PEFT, A of the embedding starts at zero, and both are trained.
TEST(Adapter, OnEmbeddingAndHead) {
    const TemporaryFolder folder;
    Decoder d = lively_decoder(small_config(), at::kFloat);
    const at::Tensor base = target_logprobs(d, some_batch());
    Rng rng(6, "lora");
    d.add_adapter({.rank = 2, .alpha = 4, .targets = {"embed_tokens", "lm_head"}}, rng);
    EXPECT_TRUE(at::equal(base, target_logprobs(d, some_batch()).detach()));
    ASSERT_EQ(d.trainable().size(), 4u);
    for (const auto& [name, leaf] : d.trainable()) {
        at::Tensor values = leaf.detach();
        values.copy_(at::linspace(-0.2, 0.3, values.numel()).view(values.sizes()));
    }
    target_logprobs(d, some_batch()).sum().backward();
    for (const auto& [name, leaf] : d.trainable()) EXPECT_GT(leaf.grad().abs().max().item<double>(), 0) << name;
    const at::Tensor adapted = target_logprobs(d, some_batch()).detach();
    EXPECT_GT((adapted - base).abs().max().item<double>(), 1e-2);
    EXPECT_FALSE(d.merged().config().tied_embeddings);
    EXPECT_LT((target_logprobs(d.merged(), some_batch()) - adapted).abs().max().item<double>(), 1e-4);
    d.save_adapter(folder.path());
    Decoder again = lively_decoder(small_config(), at::kFloat);
    again.load_adapter(folder.path(), false);
    EXPECT_TRUE(at::equal(adapted, target_logprobs(again, some_batch())));
}

}  // namespace
}  // namespace craft
