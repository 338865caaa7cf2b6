// SwiGLU, rotary positions and dropout: rows without sums.
#include "model/kernels/cuda/block.cuh"
#include "model/kernels/cuda/kernels.h"

namespace craft::cuda {

namespace {

template <int N, class T>
struct Swiglu {
    SwigluRows<T> rows;
    __device__ void operator()(int64_t row, Block<Sum>& block) const { swiglu_row<N>(rows, row, block); }
};
template <int N, class T>
struct SwigluBackward {
    SwigluRows<T> rows;
    __device__ void operator()(int64_t row, Block<Sum>& block) const { swiglu_backward_row<N>(rows, row, block); }
};
template <int N, class T>
struct Rotary {
    RotaryRows<T> rows;
    __device__ void operator()(int64_t row, Block<Sum>& block) const { rotary_row<N>(rows, row, block); }
};

template <int N, class T>
struct Dropped {
    DroppedRows<T> rows;
    __device__ void operator()(int64_t row, Block<Sum>& block) const { dropped_row<N>(rows, row, block); }
};

template <class T>
constexpr int kPack = 16 / static_cast<int>(sizeof(T));

}  // namespace

template <class T>
void swiglu_forward(const SwigluRows<T>& t, Stream stream) {
    if (pack_size(sizeof(T), {t.width}, {t.gate_up, t.y}) > 1)
        launch_rows<Sum>("SwiGLU", t.rows, t.width / kPack<T>, stream, Swiglu<kPack<T>, T>{t});
    else
        launch_rows<Sum>("SwiGLU", t.rows, t.width, stream, Swiglu<1, T>{t});
}

template <class T>
void swiglu_backward(const SwigluRows<T>& t, Stream stream) {
    if (pack_size(sizeof(T), {t.width}, {t.gate_up, t.dy, t.d_gate_up}) > 1)
        launch_rows<Sum>("SwiGLU backward", t.rows, t.width / kPack<T>, stream, SwigluBackward<kPack<T>, T>{t});
    else
        launch_rows<Sum>("SwiGLU backward", t.rows, t.width, stream, SwigluBackward<1, T>{t});
}

template <class T>
void rotary(const RotaryRows<T>& t, Stream stream) {
    const int64_t width = t.heads * t.head_dim;
    if (pack_size(sizeof(T), {t.half, t.head_dim}, {t.from, t.to}) > 1)
        launch_rows<Sum>("rotary positions", t.rows, width / kPack<T>, stream, Rotary<kPack<T>, T>{t});
    else
        launch_rows<Sum>("rotary positions", t.rows, width, stream, Rotary<1, T>{t});
}

template <class T>
void drop(const DroppedRows<T>& t, Stream stream) {
    if (pack_size(sizeof(T), {t.width}, {t.x, t.y}) > 1)
        launch_rows<Sum>("dropout", t.rows, t.width / kPack<T>, stream, Dropped<kPack<T>, T>{t});
    else
        launch_rows<Sum>("dropout", t.rows, t.width, stream, Dropped<1, T>{t});
}

template void swiglu_forward(const SwigluRows<float>&, Stream);
template void swiglu_forward(const SwigluRows<c10::BFloat16>&, Stream);
template void swiglu_backward(const SwigluRows<float>&, Stream);
template void swiglu_backward(const SwigluRows<c10::BFloat16>&, Stream);
template void rotary(const RotaryRows<float>&, Stream);
template void rotary(const RotaryRows<c10::BFloat16>&, Stream);
template void drop(const DroppedRows<float>&, Stream);
template void drop(const DroppedRows<c10::BFloat16>&, Stream);

}  // namespace craft::cuda
