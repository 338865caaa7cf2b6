// Model folders of tests/parity/make_encoders.py with what transformers computes on them.
#pragma once

#include <gtest/gtest.h>
#include <torch/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "model/encoder/encoder.h"
#include "model/encoder/seq2seq.h"
#include "model/weights/safetensors.h"

namespace craft::test {

struct EncoderCase {
    EncoderRow row;
    std::vector<int64_t> target;         // of an encoder-decoder
    at::Tensor hidden, score, logprobs;  // what is expected; undefined where it does not apply
};

inline std::vector<EncoderCase> encoder_cases(const std::filesystem::path& folder) {
    const SafetensorsFile file(folder / "expected.safetensors");
    std::vector<EncoderCase> cases;
    for (size_t i = 0; file.has(std::to_string(i) + ".ids"); ++i) {
        const std::string prefix = std::to_string(i) + ".";
        const auto numbers = [&](const std::string& name) {
            if (!file.has(prefix + name)) return std::vector<int64_t>{};
            const at::Tensor all = file.tensor(prefix + name);
            return std::vector<int64_t>(all.const_data_ptr<int64_t>(), all.const_data_ptr<int64_t>() + all.numel());
        };
        const auto tensor = [&](const std::string& name) {
            return file.has(prefix + name) ? file.tensor(prefix + name) : at::Tensor();
        };
        cases.push_back({{numbers("ids"), numbers("mask"), numbers("types")},
                         numbers("target"),
                         tensor("hidden"),
                         tensor("score"),
                         tensor("logprobs")});
    }
    return cases;
}

inline double apart(const at::Tensor& a, const at::Tensor& b) {
    if (!a.sizes().equals(b.sizes())) return 1e9;
    return (a.to(at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

// The largest difference from what transformers computes, with all rows in one batch.
inline double worst_difference(const std::filesystem::path& folder, at::ScalarType dtype = at::kFloat) {
    const std::vector<EncoderCase> cases = encoder_cases(folder);
    EXPECT_GE(cases.size(), 3u);
    const Encoder encoder = Encoder::load(folder / "model", dtype, at::kCPU);
    std::vector<EncoderRow> rows;
    std::vector<Seq2SeqRow> pairs;
    for (const EncoderCase& one : cases) {
        rows.push_back(one.row);
        pairs.push_back({one.row, one.target});
    }
    const std::vector<at::Tensor> hidden = encoder.hidden(rows);
    double worst = 0;
    for (size_t i = 0; i < cases.size(); ++i)
        if (cases[i].hidden.defined()) worst = std::max(worst, apart(hidden[i], cases[i].hidden));
    if (cases[0].score.defined()) {
        const at::Tensor scores = encoder.scores(hidden);
        for (size_t i = 0; i < cases.size(); ++i)
            worst = std::max(worst, apart(scores.narrow(0, static_cast<int64_t>(i), 1), cases[i].score));
    }
    if (model_kind(folder / "model") != ModelKind::encoder_decoder) return worst;
    const std::vector<at::Tensor> logprobs = Seq2Seq::load(folder / "model", dtype, at::kCPU).target_logprobs(pairs);
    for (size_t i = 0; i < cases.size(); ++i) worst = std::max(worst, apart(logprobs[i], cases[i].logprobs));
    return worst;
}

// The largest change of a row's states when it stands alone, or has five more tokens that its mask hides.
inline double worst_padding(const std::filesystem::path& folder) {
    const Encoder encoder = Encoder::load(folder / "model", at::kFloat, at::kCPU);
    std::vector<EncoderRow> rows, padded;
    for (const EncoderCase& one : encoder_cases(folder)) {
        rows.push_back(one.row);
        EncoderRow longer = one.row;
        const size_t tokens = one.row.ids.size();
        longer.mask.resize(tokens, 1);
        longer.ids.resize(tokens + 5, std::max<int64_t>(encoder.config().padding, 0));
        longer.mask.resize(tokens + 5, 0);
        if (!longer.types.empty()) longer.types.resize(tokens + 5, 0);
        padded.push_back(longer);
    }
    const std::vector<at::Tensor> together = encoder.hidden(rows), with_padding = encoder.hidden(padded);
    double worst = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
        worst = std::max(worst, apart(together[i], encoder.hidden({rows[i]})[0]));
        worst = std::max(worst, apart(together[i], with_padding[i].narrow(0, 0, together[i].size(0))));
    }
    return worst;
}

}  // namespace craft::test
