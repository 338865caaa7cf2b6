#include "model/decoder/head_logprobs.h"

#include <ATen/Parallel.h>
#include <ATen/record_function.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/signals.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/products.h"

namespace craft {

namespace {

constexpr int64_t kTile = 512;                                  // of the vocabulary
constexpr int64_t kHeadColumns = 8 * kLanes, kHeadInner = 512;  // of a block of panels, as in products.cpp

// How a chunk computes: in which type it keeps its softmax weights and multiplies.
struct FloatMath {
    using Element = float;
    static constexpr at::ScalarType dtype = at::kFloat;
    static void pack(const MatrixView& b, int64_t row, int64_t inner, int64_t column, int64_t columns, float* panels) {
        pack_block(b, row, inner, column, columns, panels);
    }
    static void multiply(const float* a, int64_t a_stride, const float* panels, int64_t rows, int64_t inner, int64_t columns,
                         float* c, int64_t c_stride, bool add, const float* factors) {
        cpu_kernels().multiply({.a = a,
                                .a_stride = a_stride,
                                .panels = panels,
                                .rows = rows,
                                .inner = inner,
                                .columns = columns,
                                .c = c,
                                .c_stride = c_stride,
                                .add = add,
                                .factors = factors});
    }
    static void keep(const float* from, int64_t count, float* to) { std::copy_n(from, count, to); }
};

// An odd inner size is padded: `a` holds zeros there (of the last tile), and so do panels.
struct Bfloat16Math {
    using Element = uint16_t;
    static constexpr at::ScalarType dtype = at::kBFloat16;
    static void pack(const MatrixView& b, int64_t row, int64_t inner, int64_t column, int64_t columns, uint16_t* panels) {
        const int64_t first = b.transposed ? column * b.stride + row : row * b.stride + column;
        pack_bfloat16(static_cast<const uint16_t*>(b.data) + first, b.stride, b.transposed, inner, columns, panels);
    }
    static void multiply(const uint16_t* a, int64_t a_stride, const uint16_t* panels, int64_t rows, int64_t inner,
                         int64_t columns, float* c, int64_t c_stride, bool add, const float* factors) {
        multiply_bfloat16({.a = a,
                           .a_stride = a_stride,
                           .panels = panels,
                           .rows = rows,
                           .inner = (inner + 1) / 2 * 2,
                           .columns = columns,
                           .c = c,
                           .c_stride = c_stride,
                           .c_is_float = true,
                           .add = add,
                           .factors = factors});
    }
    static void keep(const float* from, int64_t count, uint16_t* to) {
        cpu_kernels().to_bfloat16(from, count, to);
        if (count % 2 != 0) to[count] = 0;  // within the tile's width
    }
};

// One chunk of rows: for every tile of the vocabulary its weights exp(logit - top of the row in this tile), [row][kTile].
template <class Math>
class Chunk {
    using Element = typename Math::Element;

public:
    Chunk(const at::Tensor& hidden, const at::Tensor& head, const HeadAddition& addition, int64_t max_batch_rows, bool keep)
        : hidden_(hidden),
          addition_(addition),
          head_{head.const_data_ptr(), head.scalar_type() == at::kBFloat16, head.stride(0), false},
          width_(head.size(1)),
          vocabulary_(head.size(0)),
          tiles_((vocabulary_ + kTile - 1) / kTile),
          keep_(keep),
          softmaxes_(static_cast<size_t>(tiles_ * max_batch_rows)),
          factors_(keep ? softmaxes_.size() : 0) {
        if (keep) weights_ = at::empty({tiles_ * max_batch_rows * kTile}, hidden.options().dtype(Math::dtype));
    }

    // Rows [begin, begin + rows) of hidden, and of `out`.
    void forward(int64_t begin, int64_t rows, const int64_t* targets, const HeadLogprobs& out) {
        begin_ = begin;
        rows_ = rows;
        std::vector<float> target_logits(static_cast<size_t>(rows));
        at::parallel_for(0, tiles_, 1, [&](int64_t first, int64_t last) {
            std::vector<Element> panels(static_cast<size_t>(kHeadColumns * std::min(width_ + 1, kHeadInner)));
            std::vector<float> logits(static_cast<size_t>(rows * kTile));
            for (int64_t t = first; t < last; ++t) {
                tile_logits(t, panels.data(), logits.data());
                for (int64_t r = 0; r < rows; ++r) {
                    const int64_t target = targets[r] - t * kTile;
                    float* const row = logits.data() + r * kTile;
                    if (target >= 0 && target < kTile) target_logits[static_cast<size_t>(r)] = row[target];
                    softmaxes_[at(t, r)] = cpu_kernels().softmax_row(row, tile_width(t));
                    if (keep_) Math::keep(row, tile_width(t), tile(t) + r * kTile);
                }
            }
        });
        lse_.resize(static_cast<size_t>(rows));
        float* const logprobs = out.logprobs.data_ptr<float>() + begin;
        float* const entropy = out.entropy.data_ptr<float>() + begin;
        bool* const top1 = out.top1.data_ptr<bool>() + begin;
        for (int64_t r = 0; r < rows; ++r) {
            const float top = top_of(r), target = target_logits[static_cast<size_t>(r)];
            const float lse = log_sum(r, top);
            lse_[static_cast<size_t>(r)] = lse;
            logprobs[r] = target - lse;
            entropy[r] = entropy_of(r, lse);
            top1[r] = target >= top;
        }
    }

    // direction [rows][width]: the target's row of the head less the softmax's mean of all rows. Each thread has columns of
    // it, so that their number changes no sum.
    void backward(const int64_t* targets, float* direction) {
        for (int64_t t = 0; t < tiles_; ++t)
            for (int64_t r = 0; r < rows_; ++r)
                factors_[at(t, r)] = -std::exp(softmaxes_[at(t, r)].top - lse_[static_cast<size_t>(r)]);
        const int64_t share = (width_ / at::get_num_threads() + 2 * kLanes - 1) / (2 * kLanes) * 2 * kLanes;
        const int64_t columns = std::clamp<int64_t>(share, 2 * kLanes, kHeadColumns);
        at::parallel_for(0, (width_ + columns - 1) / columns, 1, [&](int64_t first, int64_t last) {
            std::vector<Element> panels(static_cast<size_t>(kTile * columns));
            for (int64_t group = first; group < last; ++group) {
                const int64_t column = group * columns, count = std::min(columns, width_ - column);
                for (int64_t r = 0; r < rows_; ++r) target_row(targets[r], column, count, direction + r * width_ + column);
                for (int64_t t = 0; t < tiles_; ++t) {
                    Math::pack(head_, t * kTile, tile_width(t), column, count, panels.data());
                    Math::multiply(tile(t), kTile, panels.data(), rows_, tile_width(t), count, direction + column, width_,
                                   /*add=*/true, factors_.data() + t * rows_);
                }
            }
        });
    }

private:
    size_t at(int64_t t, int64_t row) const { return static_cast<size_t>(t * rows_ + row); }
    Element* tile(int64_t t) const { return static_cast<Element*>(weights_.data_ptr()) + t * rows_ * kTile; }
    int64_t tile_width(int64_t t) const { return std::min(kTile, vocabulary_ - t * kTile); }

    void tile_logits(int64_t t, Element* panels, float* logits) const {
        MatrixView columns = head_;  // seen as [width, vocabulary]
        columns.transposed = true;
        const auto* const rows = static_cast<const Element*>(hidden_.const_data_ptr()) + begin_ * width_;
        for (int64_t column = 0; column < tile_width(t); column += kHeadColumns) {
            const int64_t count = std::min(kHeadColumns, tile_width(t) - column);
            for (int64_t i = 0; i < width_; i += kHeadInner) {
                const int64_t inner = std::min(kHeadInner, width_ - i);
                Math::pack(columns, i, inner, t * kTile + column, count, panels);
                Math::multiply(rows + i, width_, panels, rows_, inner, count, logits + column, kTile, /*add=*/i > 0,
                               nullptr);
            }
            if (addition_.b.defined()) add_addition(t * kTile + column, count, logits + column);
        }
    }

    void add_addition(int64_t first, int64_t count, float* logits) const {
        const int64_t rank = addition_.b.size(1);
        std::vector<float> panels(static_cast<size_t>(padded(count) * rank));
        pack_block({addition_.b.const_data_ptr(), false, rank, true}, 0, rank, first, count, panels.data());
        FloatMath::multiply(addition_.inner.const_data_ptr<float>() + begin_ * rank, rank, panels.data(), rows_, rank, count,
                            logits, kTile, /*add=*/true, nullptr);
    }

    float top_of(int64_t row) const {
        float top = softmaxes_[at(0, row)].top;
        for (int64_t t = 1; t < tiles_; ++t) top = std::max(top, softmaxes_[at(t, row)].top);
        return top;
    }
    float log_sum(int64_t row, float top) const {
        double sum = 0;
        for (int64_t t = 0; t < tiles_; ++t) {
            const SoftmaxRow& part = softmaxes_[at(t, row)];
            sum += part.sum * std::exp(static_cast<double>(part.top - top));
        }
        return top + static_cast<float>(std::log(sum));
    }
    // The mean of -log p: every logit is part.top below lse and then as much as `weighted` has it.
    float entropy_of(int64_t row, float lse) const {
        double sum = 0;
        for (int64_t t = 0; t < tiles_; ++t) {
            const SoftmaxRow& part = softmaxes_[at(t, row)];
            const auto below = static_cast<double>(part.top - lse);
            sum -= std::exp(below) * (part.weighted + below * part.sum);
        }
        return static_cast<float>(sum);
    }

    void target_row(int64_t target, int64_t column, int64_t count, float* to) const {
        const int64_t from = target * head_.stride + column;
        if (head_.is_bfloat16)
            std::copy_n(static_cast<const at::BFloat16*>(head_.data) + from, count, to);
        else
            std::copy_n(static_cast<const float*>(head_.data) + from, count, to);
    }

    at::Tensor hidden_;
    HeadAddition addition_;
    MatrixView head_;
    int64_t width_, vocabulary_, tiles_, begin_ = 0, rows_ = 0;
    bool keep_;
    std::vector<SoftmaxRow> softmaxes_;  // [tile][row]
    std::vector<float> factors_;         // [tile][row], in backward
    std::vector<float> lse_;             // [row]
    at::Tensor weights_;
};

template <class Math>
HeadLogprobs by_chunks(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                       const HeadAddition& addition, bool with_direction, int64_t weights_at_once) {
    const at::Tensor rows = hidden.to(Math::dtype).contiguous();
    const int64_t count = rows.size(0), most = std::max<int64_t>(16, weights_at_once / head.size(0));
    HeadLogprobs out;
    out.logprobs = at::empty({count}, rows.options().dtype(at::kFloat));
    out.entropy = at::empty_like(out.logprobs);
    out.top1 = at::empty({count}, rows.options().dtype(at::kBool));
    if (with_direction) out.direction = at::empty({count, rows.size(1)}, out.logprobs.options());
    if (count == 0) return out;
    const int64_t chunks = (count + most - 1) / most, chunk_rows = (count + chunks - 1) / chunks;
    Chunk<Math> chunk(rows, head, addition, chunk_rows, with_direction);
    for (int64_t begin = 0; begin < count; begin += chunk_rows) {
        throw_if_stopped();
        const int64_t* const ids = targets.const_data_ptr<int64_t>() + begin;
        chunk.forward(begin, std::min(chunk_rows, count - begin), ids, out);
        if (with_direction) chunk.backward(ids, out.direction.data_ptr<float>() + begin * rows.size(1));
    }
    if (with_direction) out.direction = out.direction.to(hidden.scalar_type());
    return out;
}

}  // namespace

bool head_logprobs_apply(const at::Tensor& hidden, const at::Tensor& head, double cap) {
    const auto fits = [](const at::Tensor& x) {
        return x.is_cpu() && (x.scalar_type() == at::kFloat || x.scalar_type() == at::kBFloat16);
    };
    return cap == 0 && fits(hidden) && fits(head) && head.stride(1) == 1;
}

HeadLogprobs head_logprobs(const at::Tensor& hidden, const at::Tensor& head, const at::Tensor& targets,
                           const HeadAddition& addition, bool with_direction, int64_t weights_at_once) {
    RECORD_FUNCTION("craft::head_logprobs", std::vector<c10::IValue>({hidden, head}));
    HeadAddition contiguous;
    if (addition.b.defined()) contiguous = {addition.inner.detach().contiguous(), addition.b.detach().contiguous()};
    const bool halves = hidden.scalar_type() == at::kBFloat16 && head.scalar_type() == at::kBFloat16 &&
                        head.size(1) % 2 == 0 && has_bfloat16_products();
    return (halves ? by_chunks<Bfloat16Math> : by_chunks<FloatMath>)(hidden.detach(), head, targets, contiguous,
                                                                     with_direction, weights_at_once);
}

}  // namespace craft
