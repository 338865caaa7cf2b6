// What one block of threads does with one row, for the GPU's kernels. Each body is a template over the element type and the
// block, so that tests run it on the CPU with a block of one thread; only the sum over a block's threads is the GPU's own
// (block.cuh). Element types are float and c10::BFloat16; all arithmetic is in float32. No LibTorch beyond BFloat16.
#pragma once

#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#define CRAFT_BODY __host__ __device__ __forceinline__
#else
#define CRAFT_BODY inline
#endif

namespace craft::cuda {

// N neighbouring elements of a row, read and written at once: 16 bytes where the row's width is a multiple of N, else one.
template <class T, int N>
struct alignas(N * sizeof(T)) Pack {
    T at[N];
};
template <int N, class T>
CRAFT_BODY Pack<T, N> load(const T* row, int64_t element) {
    return *reinterpret_cast<const Pack<T, N>*>(row + element);
}
template <int N, class T>
CRAFT_BODY void store(T* row, int64_t element, const Pack<T, N>& pack) {
    *reinterpret_cast<Pack<T, N>*>(row + element) = pack;
}

struct Sum {
    float value = 0;
    CRAFT_BODY void merge(const Sum& other) { value += other.value; }
};

// y = x / sqrt(mean(x^2) + eps), rounded to T, * weight; with `from_one` * (1 + weight) before it is rounded.
template <class T, class Weight = float>
struct RmsNormRows {
    const T* x = nullptr;            // [rows][width]
    const Weight* weight = nullptr;  // [width]
    float* inverse = nullptr;        // [rows] 1 / sqrt(…): forward writes it, backward reads it
    T* y = nullptr;                  // forward
    const T* dy = nullptr;           // backward
    T* dx = nullptr;
    int64_t rows = 0, width = 0;
    float eps = 0;
    bool from_one = false;
};

template <int N, class T, class Weight, class Block>
CRAFT_BODY void rms_norm_row(const RmsNormRows<T, Weight>& t, int64_t row, Block& block) {
    const T* const x = t.x + row * t.width;
    T* const y = t.y + row * t.width;
    Sum squares;
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        const Pack<T, N> part = load<N>(x, i);
        for (int j = 0; j < N; ++j) {
            const auto value = static_cast<float>(part.at[j]);
            squares.value += value * value;
        }
    }
    squares = block.reduce(squares);
    const float inverse = 1.0F / sqrtf(squares.value / static_cast<float>(t.width) + t.eps);
    if (block.thread() == 0) t.inverse[row] = inverse;
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        Pack<T, N> part = load<N>(x, i);
        for (int j = 0; j < N; ++j) {
            const float normed = static_cast<float>(part.at[j]) * inverse, weight = static_cast<float>(t.weight[i + j]);
            part.at[j] = t.from_one ? static_cast<T>(normed * (1.0F + weight))
                                    : static_cast<T>(static_cast<float>(static_cast<T>(normed)) * weight);
        }
        store<N>(y, i, part);
    }
}

// With n = x inverse and g = dy weight: dx = inverse (g - n mean(g n)).
template <int N, class T, class Weight, class Block>
CRAFT_BODY void rms_norm_backward_row(const RmsNormRows<T, Weight>& t, int64_t row, Block& block) {
    const T *const x = t.x + row * t.width, *const dy = t.dy + row * t.width;
    T* const dx = t.dx + row * t.width;
    const float inverse = t.inverse[row], offset = t.from_one ? 1.0F : 0.0F;
    Sum along;
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        const Pack<T, N> values = load<N>(x, i), given = load<N>(dy, i);
        for (int j = 0; j < N; ++j)
            along.value += static_cast<float>(given.at[j]) * (offset + static_cast<float>(t.weight[i + j])) *
                           static_cast<float>(values.at[j]);
    }
    along = block.reduce(along);
    const float mean = along.value * inverse / static_cast<float>(t.width);
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        const Pack<T, N> values = load<N>(x, i), given = load<N>(dy, i);
        Pack<T, N> out;
        for (int j = 0; j < N; ++j) {
            const float g = static_cast<float>(given.at[j]) * (offset + static_cast<float>(t.weight[i + j]));
            out.at[j] = static_cast<T>(inverse * (g - static_cast<float>(values.at[j]) * inverse * mean));
        }
        store<N>(dx, i, out);
    }
}

// The gradient of one weight by rows [begin, end): sum of dy x inverse.
template <class T>
CRAFT_BODY float rms_norm_weight_gradient(const RmsNormRows<T>& t, int64_t column, int64_t begin, int64_t end) {
    float sum = 0;
    for (int64_t row = begin; row < end; ++row)
        sum += static_cast<float>(t.dy[row * t.width + column]) * static_cast<float>(t.x[row * t.width + column]) *
               t.inverse[row];
    return sum;
}

// y = silu(gate) * up.
template <class T>
struct SwigluRows {
    const T* gate_up = nullptr;  // [rows][gate: width, up: width]
    T* y = nullptr;              // [rows][width], forward
    const T* dy = nullptr;       // [rows][width], backward
    T* d_gate_up = nullptr;      // like gate_up
    int64_t rows = 0, width = 0;
};

template <int N, class T, class Block>
CRAFT_BODY void swiglu_row(const SwigluRows<T>& t, int64_t row, Block& block) {
    const T *const gates = t.gate_up + row * 2 * t.width, *const ups = gates + t.width;
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        const Pack<T, N> gate = load<N>(gates, i), up = load<N>(ups, i);
        Pack<T, N> out;
        for (int j = 0; j < N; ++j) {
            const auto g = static_cast<float>(gate.at[j]);
            out.at[j] = static_cast<T>(g / (1.0F + expf(-g)) * static_cast<float>(up.at[j]));
        }
        store<N>(t.y + row * t.width, i, out);
    }
}

template <int N, class T, class Block>
CRAFT_BODY void swiglu_backward_row(const SwigluRows<T>& t, int64_t row, Block& block) {
    const T *const gates = t.gate_up + row * 2 * t.width, *const ups = gates + t.width;
    T *const d_gates = t.d_gate_up + row * 2 * t.width, *const d_ups = d_gates + t.width;
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        const Pack<T, N> gate = load<N>(gates, i), up = load<N>(ups, i), given = load<N>(t.dy + row * t.width, i);
        Pack<T, N> d_gate, d_up;
        for (int j = 0; j < N; ++j) {
            const auto g = static_cast<float>(gate.at[j]), dy = static_cast<float>(given.at[j]);
            const float s = 1.0F / (1.0F + expf(-g)), silu = g * s;
            d_gate.at[j] = static_cast<T>(dy * static_cast<float>(up.at[j]) * (s + silu * (1.0F - s)));
            d_up.at[j] = static_cast<T>(dy * silu);
        }
        store<N>(d_gates, i, d_gate);
        store<N>(d_ups, i, d_up);
    }
}

// Rotary positions: of the first `turning` heads, pairs (d, d + half) turn by the row's angles (`sign` 1) or back (-1); all
// else is moved as it is.
template <class T>
struct RotaryRows {
    const T* from = nullptr;                     // [rows][heads][head_dim]
    T* to = nullptr;                             // likewise, another buffer
    const float *cos = nullptr, *sin = nullptr;  // [rows][half]
    int64_t rows = 0, heads = 0, turning = 0, head_dim = 0, half = 0;
    float sign = 1;
};

// half and head_dim are multiples of N, so that no pack has elements of two kinds.
template <int N, class T, class Block>
CRAFT_BODY void rotary_row(const RotaryRows<T>& t, int64_t row, Block& block) {
    const int64_t width = t.heads * t.head_dim;
    const T* const from = t.from + row * width;
    const float *const cos = t.cos + row * t.half, *const sin = t.sin + row * t.half;
    for (int64_t i = block.thread() * N; i < width; i += block.threads() * N) {
        const int64_t head = i / t.head_dim, d = i - head * t.head_dim;
        Pack<T, N> own = load<N>(from, i);
        if (head < t.turning && d < 2 * t.half) {
            const bool first = d < t.half;
            const int64_t angle = first ? d : d - t.half;
            const Pack<T, N> other = load<N>(from, first ? i + t.half : i - t.half);
            const float turn = first ? -t.sign : t.sign;
            for (int j = 0; j < N; ++j)
                own.at[j] = static_cast<T>(static_cast<float>(own.at[j]) * cos[angle + j] +
                                           static_cast<float>(other.at[j]) * turn * sin[angle + j]);
        }
        store<N>(t.to + row * width, i, own);
    }
}

// What is known of a softmax after some of its logits: their top, where it first stands, the sum of exp(logit - top) and
// that of exp(logit - top) (logit - top).
struct SoftmaxState {
    float top = 0, sum = 0, weighted = 0;
    int64_t best = -1;  // -1: nothing was added yet

    CRAFT_BODY void add(float logit, int64_t index) { merge({logit, 1.0F, 0.0F, index}); }
    CRAFT_BODY void merge(const SoftmaxState& other) {
        if (other.best < 0) return;
        if (best < 0) {
            *this = other;
            return;
        }
        const bool other_leads = other.top > top || (other.top == top && other.best < best);
        const SoftmaxState high = other_leads ? other : *this, low = other_leads ? *this : other;
        const float down = low.top == high.top ? 0.0F : low.top - high.top, factor = expf(down);  // infinities too
        top = high.top;
        best = high.best;
        weighted = high.weighted + factor * (low.weighted + (factor > 0 ? down * low.sum : 0.0F));
        sum = high.sum + factor * low.sum;
    }
    CRAFT_BODY float log_sum_exp() const { return top + logf(sum); }
    CRAFT_BODY float entropy() const { return logf(sum) - weighted / sum; }
};

// The cross-entropy of a chunk of rows; with cap > 0 a logit x counts as cap tanh(x / cap).
template <class Logit, class Gradient>
struct CrossEntropyRows {
    const Logit* logits = nullptr;     // [rows][vocabulary]
    const int64_t* targets = nullptr;  // [rows], each in [0, vocabulary)
    float cap = 0;
    int64_t rows = 0, vocabulary = 0;
    float* logprobs = nullptr;       // [rows] forward: log softmax(logits)[target]
    float* lse = nullptr;            // [rows] forward writes it, backward reads it
    float* entropy = nullptr;        // [rows] forward; null: not asked for
    int64_t* best = nullptr;         // [rows] forward: where the highest logit first stands; null likewise
    const float* factors = nullptr;  // [rows] backward: what gradients are multiplied with; null: 1
    Gradient* gradients =
        nullptr;  // [rows][vocabulary] backward: of logprobs by logits; the logits' own place if of one type
};

template <class Logit, class Gradient>
CRAFT_BODY float counted_logit(const CrossEntropyRows<Logit, Gradient>& t, Logit logit) {
    const auto value = static_cast<float>(logit);
    return t.cap > 0 ? t.cap * tanhf(value / t.cap) : value;
}

template <int N, class Logit, class Gradient, class Block>
CRAFT_BODY void cross_entropy_row(const CrossEntropyRows<Logit, Gradient>& t, int64_t row, Block& block) {
    const Logit* const logits = t.logits + row * t.vocabulary;
    SoftmaxState state;
    for (int64_t i = block.thread() * N; i < t.vocabulary; i += block.threads() * N) {
        const Pack<Logit, N> part = load<N>(logits, i);
        for (int j = 0; j < N; ++j) state.add(counted_logit(t, part.at[j]), i + j);
    }
    state = block.reduce(state);
    if (block.thread() != 0) return;
    const float lse = state.log_sum_exp();
    t.lse[row] = lse;
    t.logprobs[row] = counted_logit(t, logits[t.targets[row]]) - lse;
    if (t.entropy != nullptr) t.entropy[row] = state.entropy();
    if (t.best != nullptr) t.best[row] = state.best;
}

// (1{target} - p) * factor, through the cap. Each thread reads an element before it writes it, and no other's.
template <int N, class Logit, class Gradient, class Block>
CRAFT_BODY void cross_entropy_backward_row(const CrossEntropyRows<Logit, Gradient>& t, int64_t row, Block& block) {
    const Logit* const logits = t.logits + row * t.vocabulary;
    Gradient* const gradients = t.gradients + row * t.vocabulary;
    const float lse = t.lse[row], factor = t.factors != nullptr ? t.factors[row] : 1.0F;
    const int64_t target = t.targets[row];
    for (int64_t i = block.thread() * N; i < t.vocabulary; i += block.threads() * N) {
        const Pack<Logit, N> part = load<N>(logits, i);
        Pack<Gradient, N> out;
        for (int j = 0; j < N; ++j) {
            const float logit = counted_logit(t, part.at[j]);
            const float slope = t.cap > 0 ? 1.0F - logit / t.cap * (logit / t.cap) : 1.0F;
            out.at[j] = static_cast<Gradient>(((i + j == target ? 1.0F : 0.0F) - expf(logit - lse)) * slope * factor);
        }
        store<N>(gradients, i, out);
    }
}

// Dropout. Whether an element stays is told by the numbers of Philox4x32-10 (Salmon et al., "Parallel random numbers: as
// easy as 1, 2, 3", 2011), which are a function of a key and a counter: nothing is drawn in turn, and the CPU, which uses
// the same function, has the same masks.
struct PhiloxBlock {
    uint32_t word[4];
};
CRAFT_BODY PhiloxBlock philox(uint64_t key, uint64_t low_counter, uint64_t high_counter) {
    auto key0 = static_cast<uint32_t>(key), key1 = static_cast<uint32_t>(key >> 32);
    PhiloxBlock c{{static_cast<uint32_t>(low_counter), static_cast<uint32_t>(low_counter >> 32),
                   static_cast<uint32_t>(high_counter), static_cast<uint32_t>(high_counter >> 32)}};
    for (int round = 0; round < 10; ++round) {
        const uint64_t a = uint64_t{0xD2511F53} * c.word[0], b = uint64_t{0xCD9E8D57} * c.word[2];
        c = {{static_cast<uint32_t>(b >> 32) ^ c.word[1] ^ key0, static_cast<uint32_t>(b),
              static_cast<uint32_t>(a >> 32) ^ c.word[3] ^ key1, static_cast<uint32_t>(a)}};
        key0 += 0x9E3779B9;
        key1 += 0xBB67AE85;
    }
    return c;
}
// The words of columns [4 block, 4 block + 4) of a row that is `row` among those of the key `seed`.
CRAFT_BODY PhiloxBlock dropout_words(uint64_t seed, int64_t row, uint64_t stream, int64_t block) {
    return philox(seed, static_cast<uint64_t>(row) << 32 | static_cast<uint64_t>(block), stream);
}

// y = 0 where a word is below `dropped`, else x * scale.
template <class T>
struct DroppedRows {
    const T* x = nullptr;           // [rows][width]
    const int64_t* keys = nullptr;  // [rows][seed, row]
    T* y = nullptr;                 // [rows][width], may be x's own place
    int64_t rows = 0, width = 0;
    uint64_t stream = 0;
    uint32_t dropped = 0;
    float scale = 1;
};

template <int N, class T, class Block>
CRAFT_BODY void dropped_row(const DroppedRows<T>& t, int64_t row, Block& block) {
    constexpr int kAtOnce = N < 4 ? N : 4;
    static_assert(4 % kAtOnce == 0 && N % kAtOnce == 0);
    const auto seed = static_cast<uint64_t>(t.keys[2 * row]);
    for (int64_t i = block.thread() * N; i < t.width; i += block.threads() * N) {
        Pack<T, N> part = load<N>(t.x + row * t.width, i);
        for (int j = 0; j < N; j += kAtOnce) {
            const PhiloxBlock words = dropout_words(seed, t.keys[2 * row + 1], t.stream, (i + j) / 4);
            const int first = N < 4 ? static_cast<int>((i + j) % 4) : 0;
            for (int k = 0; k < 4; ++k) {
                const int at = k - first;  // of these elements, the one that has word k
                if (at < 0 || at >= kAtOnce) continue;
                const float value = static_cast<float>(part.at[j + at]) * t.scale;
                part.at[j + at] = static_cast<T>(words.word[k] < t.dropped ? 0.0F : value);
            }
        }
        store<N>(t.y + row * t.width, i, part);
    }
}

}  // namespace craft::cuda
