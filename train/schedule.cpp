#include "train/schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace craft {

int64_t warmup_steps(double warmup, int64_t total_steps) {
    return static_cast<int64_t>(warmup < 1 ? std::ceil(warmup * static_cast<double>(total_steps)) : warmup);
}

double learning_rate(const TrainOptions& options, int64_t step, int64_t total_steps) {
    const int64_t warmup = warmup_steps(options.warmup, total_steps);
    // The first step counts: a rise from zero would waste it, and all of a run of one step.
    if (step < warmup) return options.lr * static_cast<double>(step + 1) / static_cast<double>(warmup);
    const double progress =
        static_cast<double>(step - warmup) / static_cast<double>(std::max<int64_t>(1, total_steps - warmup));
    switch (options.schedule) {
        case Schedule::constant:
            return options.lr;
        case Schedule::linear:
            return options.lr * std::max(0.0, 1 - progress);
        case Schedule::cosine:
            return options.lr * std::max(0.0, 0.5 * (1 + std::cos(std::numbers::pi * progress)));
    }
    return options.lr;
}

}  // namespace craft
