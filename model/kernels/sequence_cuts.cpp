#include "model/kernels/sequence_cuts.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>

namespace craft {

namespace {

// To add in the same order each time, LibTorch's flash attention gives each sequence and head to `splits` blocks of threads,
// the least number with which sequences x heads x splits fill the multiprocessors. Block i of them takes every splits-th
// tile of 128 keys, from the i-th on, and multiprocessors take the blocks in order. Two things go wrong with that:
// - Two sequences of 32 heads give 192 blocks for 132 multiprocessors, most of which wait while 60 do a second one. With an
//   empty sequence beside them, whose blocks end at once, it is 128 larger ones: all are done in 3/4 of the time.
// - With short sequences beside two long ones there is one block a head: it keeps a multiprocessor for all keys of a long
//   sequence while those of the short ones stand idle. The long ones in a call of their own have two blocks a head.
// So each way to do it is played through, in units of a tile of 128 queries and 128 keys of a head (10 microseconds of a
// multiprocessor of an H100, heads of 128), and the fastest is taken. A second call costs launches and copies of all rows,
// so that there is never a third.
constexpr int64_t kTile = 128;          // tokens
constexpr double kTilesOfABlock = 0.3;  // to begin and end a block
constexpr double kTilesOfACall = 20;
constexpr double kTilesOfCopies = 1.5;  // for a tile's tokens and each head, on all multiprocessors together

int64_t up(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

struct Length {
    int64_t queries = 0, keys = 0;  // tiles
    bool causal = false;
    double work() const { return part(1, 0); }
    // Of block i of a head.
    double part(int64_t splits, int64_t i) const {
        double tiles = 0;
        for (int64_t key = i; key < keys; key += splits) tiles += static_cast<double>(causal ? keys - key : queries);
        return tiles;
    }
};

struct Way {
    double tiles = std::numeric_limits<double>::infinity();
    size_t empty = 0;
};

double played(const std::vector<Length>& lengths, int64_t splits, const BackwardBlocks& blocks) {
    std::vector<double> parts;
    for (const Length& length : lengths)
        for (int64_t i = 0; i < splits; ++i) parts.push_back(length.part(splits, i) + kTilesOfABlock);
    std::priority_queue<double, std::vector<double>, std::greater<>> ends(
        std::greater<>(), std::vector<double>(static_cast<size_t>(blocks.at_once), 0.0));
    double last = 0;
    for (int64_t head = 0; head < blocks.heads; ++head) {
        for (const double part : parts) {
            const double end = ends.top() + part;
            ends.pop();
            ends.push(end);
            last = std::max(last, end);
        }
    }
    return last;
}

// Each number of splits that some number of empty sequences brings about; of equals the smallest, which takes least memory.
Way fastest(const std::vector<Length>& lengths, const BackwardBlocks& blocks) {
    const auto count = static_cast<int64_t>(lengths.size());
    Way best;
    for (int64_t splits = up(blocks.at_once, count * blocks.heads); splits >= 1; --splits) {
        const int64_t sequences = std::max(count, up(blocks.at_once, splits * blocks.heads));
        if (up(blocks.at_once, sequences * blocks.heads) != splits) continue;
        const double tiles = played(lengths, splits, blocks);
        if (tiles <= best.tiles) best = {tiles, static_cast<size_t>(sequences - count)};
    }
    return best;
}

}  // namespace

std::vector<SequenceCut> backward_cuts(const Sequences& s, const BackwardBlocks& blocks) {
    std::vector<size_t> order(s.count());
    std::iota(order.begin(), order.end(), size_t{0});
    std::vector<SequenceCut> cuts = {{order, 0}};
    if (blocks.at_once == 0 || order.empty()) return cuts;

    std::vector<Length> lengths;
    for (size_t i = 0; i < s.count(); ++i)
        lengths.push_back({up(s.queries[i + 1] - s.queries[i], kTile), up(s.keys[i + 1] - s.keys[i], kTile), s.causal});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return lengths[a].work() > lengths[b].work(); });
    const double copies = kTilesOfCopies * static_cast<double>(up(s.queries.back(), kTile) * blocks.heads) /
                          static_cast<double>(blocks.at_once);
    const double second_call = kTilesOfACall + copies;
    // A call waits for its last block no longer than the longest one takes: what a second call costs must be less than that.
    const bool may_cut = lengths[order[0]].work() > second_call;
    const bool may_split = static_cast<int64_t>(s.count()) * blocks.heads < blocks.at_once;
    if (!may_cut && !may_split) return cuts;

    const auto part = [&](size_t begin, size_t end) {
        std::vector<size_t> numbers(order.begin() + static_cast<std::ptrdiff_t>(begin),
                                    order.begin() + static_cast<std::ptrdiff_t>(end));
        std::sort(numbers.begin(), numbers.end());
        return numbers;
    };
    const auto way = [&](const std::vector<size_t>& numbers) {
        std::vector<Length> some;
        for (const size_t i : numbers) some.push_back(lengths[i]);
        return fastest(some, blocks);
    };
    const Way whole = way(cuts[0].sequences);
    cuts[0].empty = whole.empty;
    double best = whole.tiles;
    for (size_t longer = 1; may_cut && longer < order.size(); ++longer) {
        if (2 * lengths[order[longer]].work() > lengths[order[longer - 1]].work()) continue;  // too alike to be parted
        const std::vector<size_t> first = part(0, longer), second = part(longer, order.size());
        const Way a = way(first), b = way(second);
        const double tiles = a.tiles + b.tiles + second_call;
        if (tiles >= best) continue;
        best = tiles;
        cuts = {{first, a.empty}, {second, b.empty}};
    }
    return cuts;
}

Sequences cut_sequences(const Sequences& s, const SequenceCut& cut) {
    Sequences some;
    some.causal = s.causal;
    for (const size_t i : cut.sequences) {
        some.queries.push_back(some.queries.back() + s.queries[i + 1] - s.queries[i]);
        some.keys.push_back(some.keys.back() + s.keys[i + 1] - s.keys[i]);
    }
    some.queries.insert(some.queries.end(), cut.empty, some.queries.back());
    some.keys.insert(some.keys.end(), cut.empty, some.keys.back());
    return some;
}

}  // namespace craft
