#include "model/kernels/cuda/block.cuh"
#include "model/kernels/cuda/kernels.h"

namespace craft::cuda {

namespace {

template <int N, class T, class Weight>
struct Forward {
    RmsNormRows<T, Weight> rows;
    __device__ void operator()(int64_t row, Block<Sum>& block) const { rms_norm_row<N>(rows, row, block); }
};
template <int N, class T, class Weight>
struct Backward {
    RmsNormRows<T, Weight> rows;
    __device__ void operator()(int64_t row, Block<Sum>& block) const { rms_norm_backward_row<N>(rows, row, block); }
};

// One thread a column of one partial sum: neighbouring threads read neighbouring columns.
template <class T>
__global__ void weight_partials(RmsNormRows<T> t, int64_t rows_each, float* partials) {
    const int64_t column = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (column >= t.width) return;
    const int64_t begin = static_cast<int64_t>(blockIdx.y) * rows_each;
    const int64_t end = begin + rows_each < t.rows ? begin + rows_each : t.rows;
    partials[static_cast<int64_t>(blockIdx.y) * t.width + column] = rms_norm_weight_gradient(t, column, begin, end);
}

template <class T>
constexpr int kPack = 16 / static_cast<int>(sizeof(T));

}  // namespace

template <class T, class Weight>
void rms_norm_forward(const RmsNormRows<T, Weight>& t, Stream stream) {
    if (pack_size(sizeof(T), {t.width}, {t.x, t.y}) > 1)
        launch_rows<Sum>("RMSNorm", t.rows, t.width / kPack<T>, stream, Forward<kPack<T>, T, Weight>{t});
    else
        launch_rows<Sum>("RMSNorm", t.rows, t.width, stream, Forward<1, T, Weight>{t});
}

template <class T, class Weight>
void rms_norm_backward(const RmsNormRows<T, Weight>& t, Stream stream) {
    if (pack_size(sizeof(T), {t.width}, {t.x, t.dy, t.dx}) > 1)
        launch_rows<Sum>("RMSNorm backward", t.rows, t.width / kPack<T>, stream, Backward<kPack<T>, T, Weight>{t});
    else
        launch_rows<Sum>("RMSNorm backward", t.rows, t.width, stream, Backward<1, T, Weight>{t});
}

template <class T>
void rms_norm_weight_partials(const RmsNormRows<T>& t, float* partials, Stream stream) {
    if (t.rows == 0 || t.width == 0) return;
    constexpr int kThreads = 128;
    const int64_t each = rows_per_partial(t.rows);
    const dim3 blocks(static_cast<unsigned>((t.width + kThreads - 1) / kThreads),
                      static_cast<unsigned>((t.rows + each - 1) / each));
    weight_partials<<<blocks, kThreads, 0, static_cast<cudaStream_t>(stream)>>>(t, each, partials);
    check_launch("RMSNorm's weight gradient");
}

template void rms_norm_forward(const RmsNormRows<float>&, Stream);
template void rms_norm_forward(const RmsNormRows<c10::BFloat16>&, Stream);
template void rms_norm_forward(const RmsNormRows<c10::BFloat16, c10::BFloat16>&, Stream);
template void rms_norm_backward(const RmsNormRows<float>&, Stream);
template void rms_norm_backward(const RmsNormRows<c10::BFloat16>&, Stream);
template void rms_norm_backward(const RmsNormRows<c10::BFloat16, c10::BFloat16>&, Stream);
template void rms_norm_weight_partials(const RmsNormRows<float>&, float*, Stream);
template void rms_norm_weight_partials(const RmsNormRows<c10::BFloat16>&, float*, Stream);

}  // namespace craft::cuda
