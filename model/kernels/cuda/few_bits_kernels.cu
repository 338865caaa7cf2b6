#include "model/kernels/cuda/block.cuh"
#include "model/kernels/cuda/kernels.h"

namespace craft::cuda {

namespace {

template <int N, class T>
struct Int8 {
    Int8Rows<T> rows;
    __device__ void operator()(int64_t row, Block<Sum>& block) const { int8_row<N>(rows, row, block); }
};

template <int N, class T>
struct Nf4 {
    Nf4Rows<T> rows;
    // Values are looked up in shared memory: where threads want different ones, constants would come one after the other.
    __device__ void operator()(int64_t row, Block<Sum>& block) const {
        __shared__ float values[16];
        if (threadIdx.x < 16) values[threadIdx.x] = rows.values[threadIdx.x];
        __syncthreads();
        nf4_row<N>(rows, values, row, block);
        __syncthreads();  // before the next row's values, which are the same, are written
    }
};

template <class T>
constexpr int kPack = 16 / static_cast<int>(sizeof(T));

}  // namespace

template <class T>
void int8_values(const Int8Rows<T>& t, Stream stream) {
    if (pack_size(sizeof(T), {t.width, t.stride}, {t.codes, t.to}) > 1)
        launch_rows<Sum>("int8 weights", t.rows, t.width / kPack<T>, stream, Int8<kPack<T>, T>{t});
    else
        launch_rows<Sum>("int8 weights", t.rows, t.width, stream, Int8<1, T>{t});
}

template <class T>
void nf4_values(const Nf4Rows<T>& t, Stream stream) {
    if (pack_size(sizeof(T), {t.width, t.stride}, {t.codes, t.to}) > 1)
        launch_rows<Sum>("NF4 weights", t.rows, t.width / kPack<T>, stream, Nf4<kPack<T>, T>{t});
    else
        launch_rows<Sum>("NF4 weights", t.rows, t.width, stream, Nf4<1, T>{t});
}

template void int8_values(const Int8Rows<float>&, Stream);
template void int8_values(const Int8Rows<c10::BFloat16>&, Stream);
template void nf4_values(const Nf4Rows<float>&, Stream);
template void nf4_values(const Nf4Rows<c10::BFloat16>&, Stream);

}  // namespace craft::cuda
