// Keys and values of rows under generation in all layers, and attention of one new token a row on them. Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "model/kernels/attention.h"

namespace craft {

// Ranges of keys for flash attention, where those of row r stand from place r * positions on.
struct KeyRanges {
    std::vector<int64_t> starts, counts;
};
// What a token of each of `rows` at its position sees: the keys up to its own within the window (0: all).
KeyRanges key_ranges(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions, int64_t positions,
                     int64_t window);

// A step's small numbers where the decoder is, made once for all layers. They are copied there together, from pinned memory
// on the way to a GPU, so that nothing waits for them.
struct CacheStep {
    at::Tensor tokens, rows, positions;  // [n] int64: of each row its new token, its row of the cache, the token's position
    int64_t longest = 0;                 // keys of the longest row, its new one among them

    // What the new tokens see through one window: ranges of keys for flash attention, else a mask.
    struct Seen {
        at::Tensor starts, counts;  // int32 [n + 1] and [n]: key_ranges()
        at::Tensor mask;            // [m, 1, 1, longest] bool: true where a query sees a key
    };
    std::map<int64_t, Seen> seen;  // by the layers' windows
    at::Tensor query_starts;       // flash attention: int32 [n + 1], 0 to n

    // Else: attention is computed on m rows of the cache, those from `first` on or, where `slots` is undefined and n rows do
    // not stand there in order, copies of the n rows.
    int64_t first = 0;
    bool copies_rows = false;
    at::Tensor slots;  // [n] int64: where in these m rows the step's rows are; undefined: in order
};

class KeyValueCache {
public:
    // `rows` rows of `positions` tokens each.
    KeyValueCache(const DecoderConfig& config, int64_t rows, int64_t positions, at::ScalarType dtype,
                  const at::Device& device);

    int64_t positions() const { return positions_; }
    int64_t bytes() const;
    // True: flash attention reads the keys and values, so that a step's work depends on nothing but its step_numbers().
    bool is_flash() const { return is_flash_; }
    // What a row holds in a layer from its first position on: keys and values [2, length, kv_heads, head_dim].
    void fill(int64_t layer, int64_t row, const at::Tensor& keys_values);
    at::Tensor held(int64_t layer, int64_t row, int64_t length) const;  // the same, a view
    // Of each of `rows` (each once) a new token at its position, below positions().
    CacheStep begin_step(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions,
                         const std::vector<int64_t>& tokens) const;
    // With flash attention, the same in two: a step's numbers int64 [.., n + 1] on the CPU, pinned if they go to a GPU; and
    // the step that they make where the decoder is, with at most `longest` keys a row.
    at::Tensor step_numbers(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions,
                            const std::vector<int64_t>& tokens) const;
    CacheStep step_of(const at::Tensor& numbers, int64_t longest) const;
    // Turned heads of the new tokens [n, heads + 2 kv_heads, head_dim] -> [n, heads * head_dim]; their keys and values stay.
    at::Tensor attend(int64_t layer, const at::Tensor& heads, const CacheStep& step);

private:
    CacheStep begin_masks(const std::vector<int64_t>& rows, const std::vector<int64_t>& row_positions,
                          const std::vector<int64_t>& tokens) const;
    at::Tensor attend_ranges(const at::Tensor& queries, const at::Tensor& cache, const CacheStep& step,
                             const AttentionShape& shape) const;
    at::Tensor attend_masks(const at::Tensor& queries, const at::Tensor& cache, const CacheStep& step,
                            const AttentionShape& shape) const;

    std::vector<AttentionShape> shapes_;  // of the layers
    std::set<int64_t> windows_;           // of all of them
    int64_t positions_;
    bool is_flash_;                   // flash attention reads the keys and values; else composed attention
    std::vector<at::Tensor> caches_;  // per layer [2, rows, positions, kv_heads, head_dim], laid out as attention reads it
};

}  // namespace craft
