#include "judge/verdicts/candidate_orders.h"

#include <numeric>

#include "core/rng.h"

namespace craft {

std::vector<std::vector<size_t>> candidate_orders(CandidateOrders orders, size_t candidates, uint64_t seed,
                                                  const std::string& id, uint64_t repeat) {
    std::vector<size_t> order(candidates);
    std::iota(order.begin(), order.end(), size_t{0});
    if (orders == CandidateOrders::fixed) return {order};
    Rng(seed, "judge.order", id, repeat).shuffle(order);
    if (orders == CandidateOrders::random) return {order};
    return {order, {order.rbegin(), order.rend()}};
}

}  // namespace craft
