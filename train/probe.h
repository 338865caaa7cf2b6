// A few training steps on a random decoder, for what they cost.
#pragma once

#include <filesystem>
#include <vector>

#include "model/decoder/decoder.h"
#include "train/options.h"
#include "train/work_plan.h"

namespace craft {

// A decoder of the model's widths: of its depth and vocabulary, or smaller.
struct ProbePoint {
    int64_t plain_layers = 0;       // whose activations are kept
    int64_t recomputed_layers = 0;  // whose activations are made again in backward
    int64_t vocabulary = 0;
    int64_t layers() const { return plain_layers + recomputed_layers; }
};

// What is measured in a probe, or follows from several.
struct ProbeFigures {
    double batch_peak = 0;              // bytes, while gradients are made
    double update_peak = 0;             // bytes, while the weights are updated
    std::vector<double> batch_seconds;  // of each sample
    double update_seconds = 0;
};

struct ProbeWork {
    std::vector<WorkSample> samples;  // at least one
    PlannedMicroBatch largest;        // what peaks are measured on
    bool accumulates = false;         // gradients of another micro-batch are held beside it
    int64_t rounds = 1;               // times that samples are computed; means are told
};

struct ProbedModel {
    DecoderConfig config;           // the whole model's
    std::filesystem::path adapter;  // that continues training; empty: a new one, or none
    at::ScalarType dtype = at::ScalarType::Float;
    at::Device device = at::Device(at::DeviceType::CPU);
    Quantization quantize = Quantization::none;
};

// The figures at `point`. Tokens beyond a smaller vocabulary become others. The adapter's weights are loaded where the whole
// depth is probed; else its options decide. Throws Error where such an adapter cannot be put on fewer layers.
ProbeFigures probe(const ProbedModel& model, const ProbePoint& point, const std::vector<TokenTree>& data,
                   const TrainOptions& options, const ProbeWork& work);

}  // namespace craft
