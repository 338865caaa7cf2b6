// Rows of metrics.jsonl and eval.jsonl.
#pragma once

#include <cstdint>
#include <optional>

#include "core/json.h"
#include "train/batch_loss.h"

namespace craft {

struct StepMetrics {
    int64_t step = 0;         // from 1
    int64_t total_steps = 0;  // that the training takes at most; 0: not told (evaluations)
    BatchFigures figures;
    std::optional<double> grad_norm = {};  // before clipping; absent in evaluations
    std::optional<double> lr = {};         // as grad_norm
    // Of grad_norm's gradient: its preference and its likelihood part, where they were asked for (part_norms_every).
    std::optional<double> preference_grad_norm = {}, likelihood_grad_norm = {};
    std::optional<double> mfu = {};  // share of the device's rate of matrix products (train/operations.h); as grad_norm
    double seconds = 0;              // wall time since the previous step's end; of an evaluation its own
};

// The keys of metrics.jsonl; those that do not apply are absent.
Json to_json(const StepMetrics& metrics);

}  // namespace craft
