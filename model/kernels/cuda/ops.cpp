#include "model/kernels/cuda/ops.h"

#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/types.h>

#include <algorithm>

#include "model/kernels/cuda/kernels.h"
#include "model/kernels/cuda/launch.h"
#include "model/kernels/dropout.h"

namespace craft::cuda {

namespace {

// For the time of a call: its device is the current one, and its stream is known.
struct Place {
    explicit Place(const at::Tensor& x)
        : guard(x.device()), stream(c10::cuda::getCurrentCUDAStream(x.get_device()).stream()) {}
    c10::cuda::CUDAGuard guard;
    Stream stream;
};

// f(T{}) with the tensor's element type.
template <class F>
void with_element(const at::Tensor& x, const F& f) {
    TORCH_CHECK(applies(x), "the GPU's kernels take float32 and bfloat16 tensors of a GPU, not ", x.scalar_type(), " on ",
                x.device());
    if (x.scalar_type() == at::kFloat)
        f(float{});
    else
        f(c10::BFloat16{});
}

void check_like(const at::Tensor& x, const at::Tensor& other, const char* what) {
    TORCH_CHECK(other.sizes() == x.sizes() && other.scalar_type() == x.scalar_type() && other.device() == x.device(), what,
                ": expected the shape, dtype and device of ", x.sizes(), ", got ", other.sizes());
}

int64_t rows_of(const at::Tensor& x) {
    return x.size(-1) == 0 ? 0 : x.numel() / x.size(-1);
}

template <class T, class Weight = float>
RmsNormRows<T, Weight> norm_rows(const at::Tensor& x, const at::Tensor& inverse) {
    RmsNormRows<T, Weight> rows;
    rows.x = x.const_data_ptr<T>();
    rows.inverse = inverse.data_ptr<float>();
    rows.rows = rows_of(x);
    rows.width = x.size(-1);
    return rows;
}

// The weight as the kernels read it: as it is in the rows' dtype, else in float32.
at::Tensor norm_weight(const at::Tensor& weight, const at::Tensor& x) {
    const at::Tensor scale = (weight.scalar_type() == x.scalar_type() ? weight : weight.to(at::kFloat)).contiguous();
    TORCH_CHECK(scale.dim() == 1 && scale.size(0) == x.size(-1) && scale.device() == x.device(), "RMSNorm: weight of ",
                scale.sizes(), " for rows of ", x.size(-1));
    return scale;
}

// f(T{}, Weight{}) with the element types of rows and of norm_weight().
template <class F>
void with_norm_elements(const at::Tensor& x, const at::Tensor& scale, const F& f) {
    with_element(x, [&](auto element) {
        if (scale.scalar_type() == at::kFloat)
            f(element, float{});
        else
            f(element, element);
    });
}

template <class Gradient>
CrossEntropyRows<float, Gradient> chunk_rows(const at::Tensor& logits, const at::Tensor& targets, const at::Tensor& lse,
                                             double cap) {
    TORCH_CHECK(logits.dim() == 2 && logits.is_contiguous() && logits.scalar_type() == at::kFloat,
                "cross-entropy: expected contiguous float32 logits [rows, vocabulary]");
    TORCH_CHECK(targets.dim() == 1 && targets.size(0) == logits.size(0) && targets.is_contiguous() &&
                    targets.scalar_type() == at::kLong && targets.device() == logits.device(),
                "cross-entropy: expected one int64 target per row of logits");
    CrossEntropyRows<float, Gradient> rows;
    rows.logits = logits.const_data_ptr<float>();
    rows.targets = targets.const_data_ptr<int64_t>();
    rows.cap = static_cast<float>(cap);
    rows.rows = logits.size(0);
    rows.vocabulary = logits.size(1);
    rows.lse = lse.data_ptr<float>();
    return rows;
}

}  // namespace

int64_t multiprocessors(const at::Device& device) {
    int count = 0;
    C10_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device.index()));
    return count;
}

at::Tensor rms_norm(const at::Tensor& given, const at::Tensor& weight, double eps, bool from_one, at::Tensor& inverse) {
    const at::Tensor x = given.contiguous(), scale = norm_weight(weight, x), y = at::empty_like(x);
    inverse = at::empty({rows_of(x)}, x.options().dtype(at::kFloat));
    const Place place(x);
    with_norm_elements(x, scale, [&](auto element, auto weight_element) {
        using T = decltype(element);
        using Weight = decltype(weight_element);
        RmsNormRows<T, Weight> rows = norm_rows<T, Weight>(x, inverse);
        rows.weight = scale.template const_data_ptr<Weight>();
        rows.y = y.template data_ptr<T>();
        rows.eps = static_cast<float>(eps);
        rows.from_one = from_one;
        rms_norm_forward(rows, place.stream);
    });
    return y;
}

at::Tensor rms_norm_backward(const at::Tensor& given, const at::Tensor& weight, const at::Tensor& inverse, bool from_one,
                             const at::Tensor& given_dy) {
    const at::Tensor x = given.contiguous(), dy = given_dy.contiguous(), scale = norm_weight(weight, x),
                     dx = at::empty_like(x);
    check_like(x, dy, "RMSNorm's gradient");
    const Place place(x);
    with_norm_elements(x, scale, [&](auto element, auto weight_element) {
        using T = decltype(element);
        using Weight = decltype(weight_element);
        RmsNormRows<T, Weight> rows = norm_rows<T, Weight>(x, inverse);
        rows.weight = scale.template const_data_ptr<Weight>();
        rows.dy = dy.template const_data_ptr<T>();
        rows.dx = dx.template data_ptr<T>();
        rows.from_one = from_one;
        cuda::rms_norm_backward(rows, place.stream);
    });
    return dx;
}

at::Tensor rms_norm_weight_gradient(const at::Tensor& given, const at::Tensor& inverse, const at::Tensor& given_dy) {
    const at::Tensor x = given.contiguous(), dy = given_dy.contiguous();
    check_like(x, dy, "RMSNorm's gradient");
    const int64_t rows = rows_of(x), each = rows_per_partial(rows);
    const at::Tensor partials = at::empty({(rows + each - 1) / each, x.size(-1)}, inverse.options());
    const Place place(x);
    with_element(x, [&](auto element) {
        using T = decltype(element);
        RmsNormRows<T> task = norm_rows<T>(x, inverse);
        task.dy = dy.template const_data_ptr<T>();
        rms_norm_weight_partials(task, partials.data_ptr<float>(), place.stream);
    });
    return partials.sum(0);
}

at::Tensor swiglu(const at::Tensor& given) {
    const at::Tensor gate_up = given.contiguous();
    const int64_t n = gate_up.size(-1) / 2;
    std::vector<int64_t> sizes = gate_up.sizes().vec();
    sizes.back() = n;
    const at::Tensor y = at::empty(sizes, gate_up.options());
    const Place place(gate_up);
    with_element(gate_up, [&](auto element) {
        using T = decltype(element);
        SwigluRows<T> rows;
        rows.gate_up = gate_up.template const_data_ptr<T>();
        rows.y = y.template data_ptr<T>();
        rows.rows = rows_of(gate_up);
        rows.width = n;
        swiglu_forward(rows, place.stream);
    });
    return y;
}

at::Tensor swiglu_backward(const at::Tensor& given, const at::Tensor& given_dy) {
    const at::Tensor gate_up = given.contiguous(), dy = given_dy.contiguous(), out = at::empty_like(gate_up);
    TORCH_CHECK(dy.size(-1) * 2 == gate_up.size(-1) && dy.numel() * 2 == gate_up.numel() &&
                    dy.scalar_type() == gate_up.scalar_type(),
                "SwiGLU's gradient: ", dy.sizes(), " for ", gate_up.sizes());
    const Place place(gate_up);
    with_element(gate_up, [&](auto element) {
        using T = decltype(element);
        SwigluRows<T> rows;
        rows.gate_up = gate_up.template const_data_ptr<T>();
        rows.dy = dy.template const_data_ptr<T>();
        rows.d_gate_up = out.template data_ptr<T>();
        rows.rows = rows_of(gate_up);
        rows.width = dy.size(-1);
        cuda::swiglu_backward(rows, place.stream);
    });
    return out;
}

at::Tensor turn_heads(const at::Tensor& given, const RotaryTable& table, int64_t turning, bool back) {
    const at::Tensor from = given.contiguous(), to = at::empty_like(from);
    const at::Tensor cos = table.cos.contiguous(), sin = table.sin.contiguous();
    TORCH_CHECK(from.dim() == 3 && cos.sizes() == sin.sizes() && cos.size(0) == from.size(0) &&
                    2 * cos.size(1) <= from.size(2) && cos.scalar_type() == at::kFloat,
                "rotary positions: a table of ", cos.sizes(), " for ", from.sizes());
    const Place place(from);
    with_element(from, [&](auto element) {
        using T = decltype(element);
        RotaryRows<T> rows;
        rows.from = from.template const_data_ptr<T>();
        rows.to = to.template data_ptr<T>();
        rows.cos = cos.const_data_ptr<float>();
        rows.sin = sin.const_data_ptr<float>();
        rows.rows = from.size(0);
        rows.heads = from.size(1);
        rows.turning = turning;
        rows.head_dim = from.size(2);
        rows.half = cos.size(1);
        rows.sign = back ? -1.0F : 1.0F;
        rotary(rows, place.stream);
    });
    return to;
}

ChunkEntropy cross_entropy(const at::Tensor& logits, const at::Tensor& targets, double cap, bool with_statistics) {
    ChunkEntropy out;
    const auto options = logits.options();
    out.logprobs = at::empty({logits.size(0)}, options);
    out.lse = at::empty({logits.size(0)}, options);
    CrossEntropyRows<float, float> rows = chunk_rows<float>(logits, targets, out.lse, cap);
    rows.logprobs = out.logprobs.data_ptr<float>();
    if (with_statistics) {
        out.entropy = at::empty({logits.size(0)}, options);
        out.best = at::empty({logits.size(0)}, options.dtype(at::kLong));
        rows.entropy = out.entropy.data_ptr<float>();
        rows.best = out.best.data_ptr<int64_t>();
    }
    const Place place(logits);
    cross_entropy_forward(rows, place.stream);
    return out;
}

at::Tensor cross_entropy_backward(const at::Tensor& logits, const at::Tensor& targets, const at::Tensor& lse, double cap,
                                  const at::Tensor& factors, at::ScalarType dtype) {
    const at::Tensor out = dtype == at::kFloat ? logits : at::empty(logits.sizes(), logits.options().dtype(dtype));
    const at::Tensor own = factors.defined() ? factors.to(at::kFloat).contiguous() : at::Tensor();
    TORCH_CHECK(!own.defined() || own.numel() == logits.size(0), "cross-entropy's gradient: one factor per row");
    const Place place(logits);
    with_element(out, [&](auto element) {
        using T = decltype(element);
        CrossEntropyRows<float, T> rows = chunk_rows<T>(logits, targets, lse, cap);
        rows.gradients = out.template data_ptr<T>();
        if (own.defined()) rows.factors = own.const_data_ptr<float>();
        cuda::cross_entropy_backward(rows, place.stream);
    });
    return out;
}

void few_bits_values(const QuantizedWeight& weight, const at::Tensor& to) {
    TORCH_CHECK(to.dim() == 2 && to.size(0) == weight.rows && to.size(1) == weight.columns && to.stride(1) == 1 &&
                    to.device() == weight.codes.device() && weight.codes.is_contiguous(),
                "weights in few bits: values of [", weight.rows, ", ", weight.columns, "] into ", to.sizes());
    const Place place(to);
    with_element(to, [&](auto element) {
        using T = decltype(element);
        const auto fill = [&](auto rows) {
            rows.to = to.template data_ptr<T>();
            rows.rows = weight.rows;
            rows.width = weight.columns;
            rows.stride = to.stride(0);
            return rows;
        };
        if (weight.kind == Quantization::int8) {
            auto rows = fill(Int8Rows<T>());
            rows.codes = weight.codes.const_data_ptr<int8_t>();
            rows.scales = weight.scales.const_data_ptr<float>();
            return int8_values(rows, place.stream);
        }
        auto rows = fill(Nf4Rows<T>());
        rows.codes = weight.codes.const_data_ptr<uint8_t>();
        rows.block = weight.block;
        std::copy(kNf4Values.begin(), kNf4Values.end(), rows.values);
        if (weight.is_nested()) {
            rows.nested_codes = weight.scales.const_data_ptr<uint8_t>();
            rows.nested_scales = weight.nested_scales.const_data_ptr<float>();
            rows.nested_map = weight.nested_map.const_data_ptr<float>();
            rows.nested_block = weight.nested_block;
            rows.offset = weight.offset;
        } else {
            rows.scales = weight.scales.const_data_ptr<float>();
        }
        nf4_values(rows, place.stream);
    });
}

at::Tensor dropped(const at::Tensor& given, double p, const at::Tensor& keys, uint64_t stream) {
    const at::Tensor x = given.contiguous(), y = at::empty_like(x);
    const Place place(x);
    with_element(x, [&](auto element) {
        using T = decltype(element);
        DroppedRows<T> rows;
        rows.x = x.template const_data_ptr<T>();
        rows.keys = keys.const_data_ptr<int64_t>();
        rows.y = y.template data_ptr<T>();
        rows.rows = x.size(0);
        rows.width = x.size(1);
        rows.stream = stream;
        rows.dropped = dropped_words(p);
        rows.scale = static_cast<float>(1 / (1 - p));
        drop(rows, place.stream);
    });
    return y;
}

}  // namespace craft::cuda
