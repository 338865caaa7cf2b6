#include "train/batches.h"

#include <algorithm>
#include <numeric>

#include "core/rng.h"

namespace craft {

int64_t steps_per_epoch(size_t examples, int64_t batch_size) {
    const auto size = static_cast<size_t>(batch_size);
    return static_cast<int64_t>((examples + size - 1) / size);
}

std::vector<size_t> epoch_order(size_t examples, const TrainOptions& options, int64_t epoch) {
    std::vector<size_t> order(examples);
    std::iota(order.begin(), order.end(), size_t{0});
    if (options.order == Order::shuffled) Rng(options.seed, "train: order", static_cast<uint64_t>(epoch)).shuffle(order);
    return order;
}

std::vector<size_t> batch_of_step(size_t examples, const TrainOptions& options, int64_t step) {
    const int64_t epoch_steps = steps_per_epoch(examples, options.batch_size);
    const std::vector<size_t> order = epoch_order(examples, options, step / epoch_steps);
    const auto batch = static_cast<size_t>(options.batch_size);
    const size_t begin = static_cast<size_t>(step % epoch_steps) * batch, end = std::min(examples, begin + batch);
    return {order.begin() + static_cast<std::ptrdiff_t>(begin), order.begin() + static_cast<std::ptrdiff_t>(end)};
}

}  // namespace craft
