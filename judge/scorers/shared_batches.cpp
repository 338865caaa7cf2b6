#include "judge/scorers/shared_batches.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "core/error.h"
#include "core/progress.h"
#include "core/signals.h"
#include "model/kernels/packed_batch.h"

namespace craft {

namespace {

// Exact, as no text of a number need be.
std::string bytes_of(const std::vector<double>& numbers) {
    std::string bytes(numbers.size() * sizeof(double), '\0');
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

}  // namespace

std::vector<double> in_shared_batches(const SharedBatches& items, const BatchNumbers& numbers) {
    const int64_t largest = items.sizes.empty() ? 0 : *std::max_element(items.sizes.begin(), items.sizes.end());
    const auto batches = cut_by_tokens(items.sizes, std::max(items.batch_tokens, largest));
    int64_t own = 0;
    for (size_t i = 0; i < batches.size(); ++i)
        if (items.ranks.is_own(i)) own += static_cast<int64_t>(batches[i].second - batches[i].first);
    std::optional<Progress> progress;
    if (!items.doing.empty()) progress.emplace(items.doing, own, items.unit);
    std::vector<double> computed;
    for (size_t i = 0; i < batches.size(); ++i) {
        if (!items.ranks.is_own(i)) continue;
        throw_if_stopped();
        items.ranks.check();
        const auto& [begin, end] = batches[i];
        const std::vector<double> batch = numbers(begin, end);
        if (batch.size() != (end - begin) * items.width)
            throw Error("a batch", std::to_string((end - begin) * items.width) + " numbers", std::to_string(batch.size()));
        computed.insert(computed.end(), batch.begin(), batch.end());
        if (progress) progress->advance(static_cast<int64_t>(end - begin));
    }
    const std::vector<std::string> of_ranks = items.ranks.exchange(bytes_of(computed));
    std::vector<double> all(items.sizes.size() * items.width);
    std::vector<size_t> read(of_ranks.size(), 0);
    for (size_t i = 0; i < batches.size(); ++i) {
        const auto& [begin, end] = batches[i];
        const size_t rank = i % of_ranks.size(), bytes = (end - begin) * items.width * sizeof(double);
        std::memcpy(all.data() + begin * items.width, of_ranks[rank].data() + read[rank], bytes);
        read[rank] += bytes;
    }
    return all;
}

}  // namespace craft
