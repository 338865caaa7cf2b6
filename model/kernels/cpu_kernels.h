// Kernels for CPUs with float32 sums, compiled for several instruction sets and chosen at run time.
//
// In generation every result depends on its own row alone: the order of additions is the same whatever other rows are
// computed beside it and however many threads there are. Batched generation gives the same bits as generation one by one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace craft {

// A weight [rows, columns] laid out for products x W^T: panels of 16 output features, [panel][column][16], zero-padded.
// pack_weight() makes it.
struct PackedWeight {
    int64_t rows = 0, columns = 0;
    std::shared_ptr<const float> panels;
};

// Attention of generation reads keys and values in pages of 16 positions. A page holds those of every layer and kv head,
// each in a block: keys [head_dim][16], then values [16][head_dim padded to 16]; or in bfloat16, as attend_bfloat16() has
// it.
using Page = const float*;

// One position's queries of a kv head, [group][head_dim] beside each other, and where their outputs go.
struct AttentionRow {
    const float* queries = nullptr;
    float* outputs = nullptr;
    const Page* pages = nullptr;  // after the task's
    int64_t length = 0;           // positions that it sees, in the task's pages and then in its own: at least 1
};

// Rows that read one kv head, and the pages that they have in common: those that a prompt's samples or prompts that begin
// alike share, or all pages of one sequence, of which each row sees those up to its own position: values up to the last
// row's position must be finite, since earlier rows read them with weight 0.
struct AttentionTask {
    std::vector<AttentionRow> rows;
    const Page* pages = nullptr;
    int64_t page_count = 0;
    int64_t block = 0;  // floats from a page's start to the block of this layer and kv head
    int64_t group = 1;  // heads that read it; rows times group: at most kMaxQueries
    int64_t head_dim = 0;
};

// Training: one head's queries of one segment against its prefix and, causally, its own positions. head_dim is a multiple of
// 16. Rows of queries, keys, values and their gradients are head_dim apart, those of `out` and `d_out` out_stride.
struct PackedRows {
    const float* rows = nullptr;    // [length][head_dim]
    const float* panels = nullptr;  // [blocks of 16][head_dim][16], zero-padded
};
struct SegmentRange {
    int64_t length = 0;
    PackedRows keys, values;
    float* d_keys = nullptr;    // [length][head_dim], added to
    float* d_values = nullptr;  // likewise
};
struct SegmentTask {
    SegmentRange prefix, own;
    int64_t head_dim = 0, out_stride = 0;
    const float* queries = nullptr;  // [own.length][head_dim]
    float* out = nullptr;            // [own.length], forward writes it, backward reads it
    float* lse = nullptr;            // [own.length] log-sum-exps of the scaled scores, likewise
    const float* d_out = nullptr;    // backward
    float* d_queries = nullptr;      // [own.length][head_dim], written
};

constexpr int64_t kLanes = 16;       // positions of a key block, features of a weight panel
constexpr int64_t kMaxQueries = 12;  // of one AttentionTask
constexpr int64_t padded(int64_t n) {
    return (n + kLanes - 1) / kLanes * kLanes;
}

// A weight of 4-bit codes, elements in the order of its rows: element i in byte i / 2, even ones in the high half. The value
// is map[code] times the scale of its block of `block` elements.
struct Nf4Codes {
    const uint8_t* codes = nullptr;
    const float* map = nullptr;  // [16]
    int64_t block = 64;
};

// Of a row of logits: their largest, the sum of exp(logit - top), and that of exp(logit - top) (logit - top).
struct SoftmaxRow {
    float top = 0, sum = 0, weighted = 0;
};

// c [rows, columns] = a [rows, inner] b [inner, columns], each row's sums times its factor if there are factors.
struct ProductTask {
    const float* a = nullptr;  // element (i, j) at i a_stride + j, transposed at j a_stride + i
    int64_t a_stride = 0;
    bool a_transposed = false;
    const float* panels = nullptr;  // of b: [blocks of 16 columns][inner][16], the last one zero-padded
    int64_t rows = 0, inner = 0, columns = 0;
    float* c = nullptr;  // [rows][c_stride]
    int64_t c_stride = 0;
    bool add = false;  // to what c holds
    const float* factors = nullptr;
};

// Rows of such a weight for products. The activations' elements stand in another order: of each 32 the even ones, then the
// odd ones, as the codes' high and low halves come.
struct Nf4Rows {
    const uint8_t* codes = nullptr;  // of the first row's first element
    int64_t stride = 0;              // elements from row to row, a multiple of 32
    const float* scales = nullptr;   // of each block of a row, rows scale_stride apart
    int64_t scale_stride = 0;
    const float* map = nullptr;  // [16]
    int64_t block = 64;          // a power of two from 32 on
};

enum class VectorLevel { generic, neon, avx2, avx512 };  // neon: ARM's only

struct CpuKernels {
    const char* name;
    VectorLevel level;
    // Output features [16 first_panel, 16 last_panel) of c [m, w.rows] (+)= a [m, w.columns] w^T.
    void (*product)(const float* a, int64_t m, const PackedWeight& w, float* c, bool add, int64_t first_panel,
                    int64_t last_panel);
    void (*attend)(const AttentionTask& task, std::vector<float>& scratch);
    void (*rms_norm)(const float* x, const float* weight, int64_t n, float eps, float* y);
    void (*swiglu)(const float* gate, const float* up, int64_t n, float* y);
    void (*swiglu_backward)(const float* gate, const float* up, const float* dy, int64_t n, float* d_gate, float* d_up);
    void (*segment_forward)(const SegmentTask& task, std::vector<float>& scratch);
    void (*segment_backward)(const SegmentTask& task, std::vector<float>& scratch);
    // scores -> exp(scale * (score - top)), top the largest of them, for n a multiple of 16; returns their sum.
    float (*softmax_weights)(float* scores, int64_t n, float scale, float& top);
    // p -> exp(scale p - lse), then g -> p (g - delta) scale, for n a multiple of 16.
    void (*score_gradients)(float* p, float* g, int64_t n, float scale, float lse, float delta);
    // x[i] = exp((x[i] - shift) * scale).
    void (*exponentials)(float* x, int64_t n, float shift, float scale);
    // Elements [begin, begin + count) of a 4-bit weight; `scales` starts with that of begin's block.
    void (*nf4_values)(const Nf4Codes& weight, const float* scales, int64_t begin, int64_t count, float* out);
    void (*int8_values)(const int8_t* codes, float scale, int64_t count, float* out);
    void (*bfloat16_values)(const uint16_t* values, int64_t count, float* out);
    // c [m, rows] += a [m, n] w [rows, n]^T; rows are lda, ldw and ldc apart. The order of an element's additions does not
    // depend on m and rows.
    void (*add_dots)(const float* a, int64_t lda, int64_t m, const float* w, int64_t ldw, int64_t rows, int64_t n, float* c,
                     int64_t ldc);
    // The same with the weight as it is held; what is summed are the values that the three functions above write. An int8
    // weight has a scale for each row. n is a multiple of 32 for nf4.
    void (*add_bfloat16_dots)(const float* a, int64_t lda, int64_t m, const uint16_t* w, int64_t ldw, int64_t rows,
                              int64_t n, float* c, int64_t ldc);
    void (*add_int8_dots)(const float* a, int64_t lda, int64_t m, const int8_t* w, const float* scales, int64_t ldw,
                          int64_t rows, int64_t n, float* c, int64_t ldc);
    void (*add_nf4_dots)(const float* a, int64_t lda, int64_t m, const Nf4Rows& w, int64_t rows, int64_t n, float* c,
                         int64_t ldc);
    // NaN where one of them is not finite.
    float (*largest_magnitude)(const float* x, int64_t n);
    // The nearest whole number of x * factor, which is one of -127 to 127; halves go to even ones.
    void (*int8_codes)(const float* x, float factor, int64_t n, int8_t* codes);
    // How many of 15 bounds lie below x * factor, in 4 bits each, the first in the high half. n is even.
    void (*nf4_codes)(const float* x, float factor, const float* bounds, int64_t n, uint8_t* codes);
    void (*multiply)(const ProductTask& task);
    // 16 rows of 16, `stride` apart -> their transpose [16][16].
    void (*transpose)(const float* from, int64_t stride, float* to);
    // x[i] = exp(x[i] - top), 0 below exp(-50).
    SoftmaxRow (*softmax_row)(float* x, int64_t n);
    // To nearest, ties to even; NaN stays NaN.
    void (*to_bfloat16)(const float* values, int64_t count, uint16_t* out);
    // y = x / sqrt(mean(x^2) + eps); returns the factor.
    float (*rms_normalise)(const float* x, int64_t n, float eps, float* y);
    void (*scale_row)(const float* weight, float shift, int64_t n, float* y);  // y *= weight + shift
    // d_x of y = x inverse (weight + shift), inverse as rms_normalise returns it.
    void (*rms_backward)(const float* x, const float* weight, float shift, const float* dy, float inverse, int64_t n,
                         float* d_x);
    // Pairs (d, d + half) of one head turn by their angles (direction 1) or back (-1); the rest of it moves.
    void (*turn_head)(const float* from, const float* cos, const float* sin, float direction, int64_t half, int64_t dim,
                      float* to);
    // The words of a row's first 4 `blocks` elements, as dropout_words() of model/kernels/cuda/bodies.h has them.
    void (*dropout_words)(uint64_t seed, int64_t row, uint64_t stream, int64_t blocks, uint32_t* words);
};

// rows [length][columns] -> panels as PackedRows holds them; panels has room for padded(length) * columns.
void pack_panels(const float* rows, int64_t length, int64_t columns, float* panels);

// The kernels that CRAFT_CPU_KERNELS names: "avx512_bf16" (with products of bfloat16), "avx512", "avx2", "neon" or
// "generic". Empty where it is not set: the best that the processor and LibTorch's level have. Throws UsageError on another
// name, and on one that this processor or this build does not have.
const std::string& forced_cpu_kernels();
// On x86 what LibTorch's own kernels use here; ATEN_CPU_CAPABILITY=avx2 (or default) lowers it. Ours keep to the same, so
// that this one setting gives the results of an older processor. On ARM always neon.
VectorLevel vector_level();
// The best ones at that level.
const CpuKernels& cpu_kernels();
// For tests: those that this machine can run, the best one first.
std::vector<const CpuKernels*> usable_cpu_kernels();

}  // namespace craft
