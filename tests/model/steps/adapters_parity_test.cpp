// Adapters that PEFT wrote, on every architecture and of every kind, against what PEFT computes with them; and what we write
// of them again, as adapters and merged, against the same.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <map>

#include "model/decoder/export.h"
#include "model/steps/steps.h"
#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

// Both sides add some hundred float32 products in different orders; log-probabilities are of the order of 10.
constexpr double kTolerance = 1e-4;

at::Tensor logprobs(const Decoder& decoder, const at::Tensor& tokens) {
    std::vector<TokenTree> trees;
    for (int64_t r = 0; r < tokens.size(0); ++r) {
        const int64_t* const values = tokens[r].const_data_ptr<int64_t>();
        TokenTree tree{{},
                       {{{values, values + tokens.size(1)}, std::vector<uint8_t>(static_cast<size_t>(tokens.size(1)), 1)}}};
        tree.branches[0].counted[0] = 0;
        trees.push_back(tree);
    }
    const at::NoGradGuard guard;
    return target_logprobs(decoder, pack(trees, at::kCPU)).view({tokens.size(0), -1});
}

double difference(const at::Tensor& a, const at::Tensor& b) {
    return (a - b).abs().max().item<double>();
}

// The last token's log-probability as generation computes it.
double last_logprob(const Decoder& decoder, const at::Tensor& row) {
    const int64_t* const values = row.const_data_ptr<int64_t>();
    const int64_t length = row.size(0);
    const std::vector<int64_t> prompt(values, values + length - 1);
    const auto steps = StepSource(decoder).open({1, length + 4});
    const at::Tensor logits = steps->extend({{.tokens = prompt}})[0].logits;
    return at::log_softmax(logits.to(at::kDouble), -1)[values[length - 1]].item<double>();
}

void expect_as_peft(const fs::path& folder, const fs::path& model) {
    const std::string name = folder.filename();
    const SafetensorsFile expected(folder / "expected.safetensors");
    const at::Tensor tokens = expected.tensor("tokens"), wanted = expected.tensor("logprobs");
    const Decoder base = Decoder::load(model, at::kFloat, at::kCPU);
    Decoder decoder = base;
    decoder.load_adapter(folder / "adapter", /*trainable=*/name.find("saved-down") == std::string::npos);
    const at::Tensor got = logprobs(decoder, tokens);
    std::printf("%-28s %.1e\n", name.c_str(), difference(got, wanted));
    EXPECT_LT(difference(got, wanted), kTolerance) << name;
    EXPECT_GT(difference(wanted, expected.tensor("plain")), 1e-2) << name << ": the adapter changes nothing";
    EXPECT_LT(difference(logprobs(base, tokens), expected.tensor("plain")), kTolerance) << name << ": the base was changed";
    EXPECT_LT(difference(logprobs(decoder.merged(), tokens), wanted), kTolerance) << name << " merged";
    EXPECT_NEAR(last_logprob(decoder, tokens[0]), wanted[0][-1].item<double>(), kTolerance) << name << " generated";
    decoder.save_adapter(folder / "again");
    export_adapter(model, folder / "adapter", folder / "exported");
    export_merged(model, folder / "adapter", folder / "merged");
}

// Several architectures a test: to start Python with all that it needs takes as long as the adapters of one.
struct AdaptersParity : ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(AdaptersParity, EveryKindAsPeft) {
    CRAFT_NEEDS_PARITY_PYTHON();
    std::string architectures;
    for (const std::string& one : GetParam()) architectures += " " + one;
    const TemporaryFolder folder;
    ASSERT_TRUE(test::run_parity_script("make_adapters.py", folder.path(), architectures));
    std::map<std::string, int64_t> folders;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        if (!fs::exists(entry.path() / "adapter")) continue;
        const std::string name = entry.path().filename();
        const std::string architecture = name.substr(0, name.find('-'));
        try {
            expect_as_peft(entry.path(), folder.path() / architecture / "model");
        } catch (const std::exception& error) {
            ADD_FAILURE() << name << ": " << error.what();
        }
        ++folders[architecture];
    }
    for (const std::string& one : GetParam()) EXPECT_GE(folders[one], 22) << one;
    EXPECT_TRUE(test::run_parity_script("compare_adapters.py", folder.path()));
}

INSTANTIATE_TEST_SUITE_P(Architectures, AdaptersParity,
                         ::testing::Values(std::vector<std::string>{"llama", "mistral", "qwen2"},
                                           std::vector<std::string>{"qwen3", "phi3"},
                                           std::vector<std::string>{"gpt2", "gemma2"}),
                         [](const auto& one) { return one.param.front(); });

}  // namespace
}  // namespace craft
