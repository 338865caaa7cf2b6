#include "model/steps/key_value_pages.h"

#include <cstdlib>
#include <cstring>
#include <new>

#include "model/decoder/decoder.h"
#include "model/kernels/bfloat16_products.h"

namespace craft {

namespace {

constexpr size_t kCacheLine = 64;  // bytes: the kernels' registers must not straddle two

}  // namespace

PageShape page_shape(const DecoderConfig& config, at::ScalarType dtype) {
    const bool is_narrow = dtype == at::kBFloat16 && has_bfloat16_products() && config.head_dim % kLanes == 0;
    return {config.layers, config.kv_heads, config.head_dim, is_narrow};
}

void PagePool::Free::operator()(float* page) const {
    std::free(page);
}

std::shared_ptr<float> PagePool::take() {
    std::unique_ptr<float, Free> page;
    {
        const std::lock_guard lock(mutex_);
        if (!free_.empty()) {
            page = std::move(free_.back());
            free_.pop_back();
        }
    }
    if (!page) {
        const auto bytes = static_cast<size_t>(shape_.floats()) * sizeof(float);
        page.reset(static_cast<float*>(std::aligned_alloc(kCacheLine, (bytes + kCacheLine - 1) / kCacheLine * kCacheLine)));
        if (!page) throw std::bad_alloc();
    }
    return {page.release(), [pool = shared_from_this()](float* back) {
                const std::lock_guard lock(pool->mutex_);
                pool->free_.emplace_back(back);
            }};
}

void PagePool::trim() {
    const std::lock_guard lock(mutex_);
    free_.clear();
}

void KeyValuePages::reserve(PagePool& pool, int64_t held, int64_t positions) {
    const int64_t last = held / kLanes;  // the page that the next position goes to
    const auto wanted = static_cast<size_t>(padded(positions) / kLanes);
    held_.reserve(wanted);
    pages_.reserve(wanted);
    // Also one that is still empty: others may have copied what was made ready for a step that never came.
    if (positions > held && last < size() && held_[static_cast<size_t>(last)].use_count() > 1) {
        std::shared_ptr<float> own = pool.take();
        std::memcpy(own.get(), at(last), static_cast<size_t>(pool.shape().floats()) * sizeof(float));
        held_[static_cast<size_t>(last)] = own;
        pages_[static_cast<size_t>(last)] = own.get();
    }
    for (int64_t count = size(); count * kLanes < positions; ++count) {
        held_.push_back(pool.take());
        pages_.push_back(held_.back().get());
    }
}

void KeyValuePages::share_first(const KeyValuePages& other, int64_t pages) {
    held_.assign(other.held_.begin(), other.held_.begin() + pages);
    pages_.assign(other.pages_.begin(), other.pages_.begin() + pages);
}

}  // namespace craft
