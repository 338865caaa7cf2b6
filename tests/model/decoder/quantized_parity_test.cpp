// NF4 against bitsandbytes: its codes, scales and values bit for bit; folders that transformers with it saves.
#include <gtest/gtest.h>
#include <torch/types.h>

#include <cstdio>

#include "model/kernels/quantizer.h"
#include "model/weights/safetensors.h"
#include "tests/model/decoder/small_decoder.h"
#include "tests/parity/run_python.h"

namespace craft {
namespace {

namespace fs = std::filesystem;

class QuantizedParity : public testing::Test {
protected:
    static void SetUpTestSuite() {
        const char* const made = std::getenv("CRAFT_PARITY_QUANTIZED");  // a folder that the script filled before
        if (made != nullptr) {
            root_ = made;
        } else if (test::parity_python() != nullptr) {
            folder_ = std::make_unique<TemporaryFolder>();
            const int code = test::parity_script_code("make_quantized.py", folder_->path());
            if (code == 0) root_ = folder_->path();
            has_failed_ = code != 0 && code != 77;
        }
    }
    static void TearDownTestSuite() { folder_.reset(); }
    void SetUp() override {
        ASSERT_FALSE(has_failed_) << "make_quantized.py failed";
        if (root_.empty()) GTEST_SKIP() << "CRAFT_PARITY_PYTHON names no Python with transformers and bitsandbytes";
    }
    static inline std::unique_ptr<TemporaryFolder> folder_;
    static inline fs::path root_;
    static inline bool has_failed_ = false;
};

TEST_F(QuantizedParity, CodesScalesAndValuesAreBitsandbytes) {
    const SafetensorsFile file(root_ / "weights.safetensors");
    int64_t weights = 0;
    for (; file.has(std::to_string(weights) + ".weight"); ++weights) {
        const std::string i = std::to_string(weights) + ".";
        const QuantizedWeight q = quantize(file.tensor(i + "weight"), Quantization::nf4, i);
        EXPECT_TRUE(at::equal(q.nested_map, file.tensor(i + "nested_quant_map"))) << i;
        EXPECT_TRUE(at::equal(q.codes, file.tensor(i + "codes"))) << i;
        EXPECT_EQ(q.offset, file.tensor(i + "offset").item<float>()) << i;
        EXPECT_TRUE(at::equal(q.nested_scales, file.tensor(i + "nested_absmax"))) << i;
        EXPECT_TRUE(at::equal(q.scales, file.tensor(i + "absmax"))) << i;
        EXPECT_TRUE(at::equal(q.values(at::kFloat), file.tensor(i + "values"))) << i;
    }
    EXPECT_GE(weights, 8);
}

at::Tensor logprobs_of(const Decoder& decoder, const at::Tensor& tokens) {
    std::vector<TokenTree> trees;
    for (int64_t r = 0; r < tokens.size(0); ++r) {
        const int64_t* const ids = tokens[r].const_data_ptr<int64_t>();
        const std::vector<int64_t> row(ids, ids + tokens.size(1));
        trees.push_back({{}, {{row, std::vector<uint8_t>(row.size(), 1)}}});
        trees.back().branches[0].counted[0] = 0;
    }
    const at::NoGradGuard guard;
    return target_logprobs(decoder, pack(trees, at::kCPU)).view({tokens.size(0), tokens.size(1) - 1});
}

// The values are the same bits; the rest differs as float32 decoders do (decoders_parity_test.cpp).
TEST_F(QuantizedParity, FoldersInNf4AsTransformers) {
    int64_t folders = 0;
    for (const auto& entry : fs::directory_iterator(root_)) {
        if (!entry.is_directory()) continue;
        const std::string name = entry.path().filename();
        const SafetensorsFile expected(entry.path() / "expected.safetensors");
        const Decoder stored = Decoder::load(entry.path() / "model", at::kFloat, at::kCPU);
        EXPECT_EQ(stored.quantization(), Quantization::nf4);
        const at::Tensor tokens = expected.tensor("tokens");
        const double worst = (logprobs_of(stored, tokens) - expected.tensor("logprobs")).abs().max().item<double>();
        std::printf("%-12s largest difference %.1e\n", name.c_str(), worst);
        EXPECT_LT(worst, 1e-4) << name;
        if (name == "llama" || name == "gemma2" || name == "gpt2") {  // ours, of the full weights, with the same settings
            const Decoder ours = Decoder::load(entry.path() / "full", at::kFloat, at::kCPU, Quantization::nf4);
            EXPECT_LT((logprobs_of(ours, tokens) - expected.tensor("logprobs")).abs().max().item<double>(), 1e-4) << name;
        }
        ++folders;
    }
    EXPECT_GE(folders, 6);
}

}  // namespace
}  // namespace craft
