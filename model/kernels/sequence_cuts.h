// How attention's backward pass over many sequences is cut into calls, so that a GPU's multiprocessors are all at work until
// the end. Inside model/ only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/kernels/sequence_attention.h"

namespace craft {

// What computes the backward pass: heads of queries, and the blocks of threads that run at once; 0: sums are split in no
// such way, one call does.
struct BackwardBlocks {
    int64_t heads = 1, at_once = 0;
    friend bool operator==(const BackwardBlocks&, const BackwardBlocks&) = default;
};

struct SequenceCut {
    std::vector<size_t> sequences;  // their numbers, ascending
    size_t empty = 0;               // sequences without tokens to be put after them
};

// One or two cuts, which have every sequence once. A function of the lengths and `blocks` alone, so that the same data is
// computed in the same order each time.
std::vector<SequenceCut> backward_cuts(const Sequences& s, const BackwardBlocks& blocks);

// The sequences of a cut by themselves, one after the other, and its empty ones. Numbers on the CPU only.
Sequences cut_sequences(const Sequences& s, const SequenceCut& cut);

}  // namespace craft
