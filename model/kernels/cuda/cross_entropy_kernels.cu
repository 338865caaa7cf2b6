#include "model/kernels/cuda/block.cuh"
#include "model/kernels/cuda/kernels.h"

namespace craft::cuda {

namespace {

constexpr int kPack = 4;  // float32 logits in 16 bytes

template <int N, class Gradient>
struct Forward {
    CrossEntropyRows<float, Gradient> rows;
    __device__ void operator()(int64_t row, Block<SoftmaxState>& block) const { cross_entropy_row<N>(rows, row, block); }
};
template <int N, class Gradient>
struct Backward {
    CrossEntropyRows<float, Gradient> rows;
    __device__ void operator()(int64_t row, Block<SoftmaxState>& block) const {
        cross_entropy_backward_row<N>(rows, row, block);
    }
};

}  // namespace

template <class Gradient>
void cross_entropy_forward(const CrossEntropyRows<float, Gradient>& t, Stream stream) {
    if (pack_size(sizeof(float), {t.vocabulary}, {t.logits}) > 1)
        launch_rows<SoftmaxState>("cross-entropy", t.rows, t.vocabulary / kPack, stream, Forward<kPack, Gradient>{t});
    else
        launch_rows<SoftmaxState>("cross-entropy", t.rows, t.vocabulary, stream, Forward<1, Gradient>{t});
}

template <class Gradient>
void cross_entropy_backward(const CrossEntropyRows<float, Gradient>& t, Stream stream) {
    if (pack_size(sizeof(float), {t.vocabulary}, {t.logits, t.gradients}) > 1)
        launch_rows<SoftmaxState>("cross-entropy backward", t.rows, t.vocabulary / kPack, stream,
                                  Backward<kPack, Gradient>{t});
    else
        launch_rows<SoftmaxState>("cross-entropy backward", t.rows, t.vocabulary, stream, Backward<1, Gradient>{t});
}

template void cross_entropy_forward(const CrossEntropyRows<float, float>&, Stream);
template void cross_entropy_forward(const CrossEntropyRows<float, c10::BFloat16>&, Stream);
template void cross_entropy_backward(const CrossEntropyRows<float, float>&, Stream);
template void cross_entropy_backward(const CrossEntropyRows<float, c10::BFloat16>&, Stream);

}  // namespace craft::cuda
