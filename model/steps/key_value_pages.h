// Keys and values of sequences in pages of 16 positions, which sequences share. CPU. Inside model/ only.
#pragma once

#include <c10/core/ScalarType.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "model/kernels/cpu_kernels.h"

namespace craft {

struct DecoderConfig;

// What a page holds: of each layer and kv head a block, in float32 as AttentionTask describes it, or in bfloat16 as
// attend_bfloat16() does.
struct PageShape {
    int64_t layers = 0, kv_heads = 0, head_dim = 0;
    bool is_narrow = false;  // bfloat16

    int64_t value_width() const { return padded(head_dim); }
    int64_t block(int64_t layer, int64_t kv_head) const { return (layer * kv_heads + kv_head) * block_floats(); }
    int64_t block_floats() const { return kLanes * (head_dim + value_width()) / (is_narrow ? 2 : 1); }
    int64_t floats() const { return layers * kv_heads * block_floats(); }
};

// That of a decoder's pages: in bfloat16 where the decoder is and the kernels apply.
PageShape page_shape(const DecoderConfig& config, at::ScalarType dtype);

// Where pages come from, and where they go when nobody holds them any more.
class PagePool : public std::enable_shared_from_this<PagePool> {
public:
    explicit PagePool(const PageShape& shape) : shape_(shape) {}
    PagePool(const PagePool&) = delete;
    PagePool& operator=(const PagePool&) = delete;
    const PageShape& shape() const { return shape_; }
    std::shared_ptr<float> take();  // what it holds is not set
    void trim();                    // gives the memory of free pages back

private:
    struct Free {
        void operator()(float* page) const;
    };
    PageShape shape_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<float, Free>> free_;
};

// The pages of one sequence. Copies share them; a page that others hold too is copied before more is written into it.
class KeyValuePages {
public:
    // Room for `positions` in all, of which the first `held` stay as they are.
    void reserve(PagePool& pool, int64_t held, int64_t positions);
    // After whole pages of another sequence, which may still be written.
    void share_first(const KeyValuePages& other, int64_t pages);

    int64_t size() const { return static_cast<int64_t>(held_.size()); }
    const Page* read() const { return pages_.data(); }
    float* at(int64_t page) const { return held_[static_cast<size_t>(page)].get(); }

private:
    std::vector<std::shared_ptr<float>> held_;
    std::vector<Page> pages_;  // the same, as kernels read them
};

}  // namespace craft
