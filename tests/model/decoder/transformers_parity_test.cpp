#include <gtest/gtest.h>
#include <torch/types.h>

#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

at::Tensor all_logits(const Decoder& d, const std::vector<std::vector<int64_t>>& rows) {
    const at::NoGradGuard guard;
    std::vector<at::Tensor> logits;
    for (const auto& row : rows) logits.push_back(d.logits(d.hidden(pack({{row, {{{}, {}}}}}, at::kCPU))));
    return at::stack(logits);
}

// transformers loads the folder that we write, PEFT the adapter, and both compute our logits.
void compare(const DecoderConfig& config, const LoraOptions& lora) {
    const TemporaryFolder folder;
    Decoder d = test::lively_decoder(config, at::kFloat);
    d.save(folder.path() / "model", at::kFloat);
    Rng rng(1, "parity");
    std::vector<std::vector<int64_t>> rows;
    for (int i = 0; i < 3; ++i) rows.push_back(test::random_tokens(rng, 90, config.vocab_size));
    NamedTensors expected = {{"base", all_logits(d, rows)}};
    d.add_adapter(lora, rng);
    test::make_adapter_matter(d);
    d.save_adapter(folder.path() / "adapter");
    expected.emplace_back("adapted", all_logits(d, rows));
    ASSERT_GT((expected[0].second - expected[1].second).abs().max().item<double>(), 0.1);
    std::vector<int64_t> flat;
    for (const auto& row : rows) flat.insert(flat.end(), row.begin(), row.end());
    expected.emplace_back("tokens", at::tensor(flat).view({3, 90}));
    write_safetensors(folder.path() / "expected.safetensors", expected);
    EXPECT_TRUE(test::run_parity_script("compare_model.py", folder.path()));
}

TEST(TransformersParity, TiedWithAttentionAdapter) {
    CRAFT_NEEDS_PARITY_PYTHON();
    compare(test::small_config(), {.rank = 4, .alpha = 8});
}

TEST(TransformersParity, UntiedWithAllLinearRankStabilisedAdapter) {
    CRAFT_NEEDS_PARITY_PYTHON();
    DecoderConfig config = test::small_config(false);
    config.rope_theta = 500000;
    config.rms_norm_eps = 1e-5;
    compare(config, {.rank = 3, .alpha = 2.5, .rslora = true, .targets = {"all-linear"}});
}

}  // namespace
}  // namespace craft
