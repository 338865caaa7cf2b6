#include "model/files/gguf_blocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace craft {

namespace {

constexpr std::array<GgufTypeInfo, 12> kTypes = {{
    {GgufType::f32, "F32", 1, 4},
    {GgufType::f16, "F16", 1, 2},
    {GgufType::bf16, "BF16", 1, 2},
    {GgufType::q4_0, "Q4_0", 32, 18},
    {GgufType::q4_1, "Q4_1", 32, 20},
    {GgufType::q5_0, "Q5_0", 32, 22},
    {GgufType::q5_1, "Q5_1", 32, 24},
    {GgufType::q8_0, "Q8_0", 32, 34},
    {GgufType::q3_k, "Q3_K", 256, 110},
    {GgufType::q4_k, "Q4_K", 256, 144},
    {GgufType::q5_k, "Q5_K", 256, 176},
    {GgufType::q6_k, "Q6_K", 256, 210},
}};

constexpr int kBlock = 32, kHalfBlock = 16, kSuperBlock = 256;

using Bytes = const unsigned char*;

float scale_at(Bytes at) {
    return half_to_float(static_cast<uint16_t>(at[0] | at[1] << 8));
}

uint32_t word_at(Bytes at) {
    return static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8 | static_cast<uint32_t>(at[2]) << 16 |
           static_cast<uint32_t>(at[3]) << 24;
}

void take_f32(Bytes block, float* out) {
    *out = std::bit_cast<float>(word_at(block));
}

void take_f16(Bytes block, float* out) {
    *out = scale_at(block);
}

void take_bf16(Bytes block, float* out) {
    *out = std::bit_cast<float>(static_cast<uint32_t>(block[0] | block[1] << 8) << 16);
}

// Of 32 codes in 4 bits the first half stands in the low bits of 16 bytes, the second in the high ones.
int nibble(Bytes codes, int i) {
    return i < kHalfBlock ? codes[i] & 0xF : codes[i - kHalfBlock] >> 4;
}

void take_q4_0(Bytes block, float* out) {
    const float d = scale_at(block);
    for (int i = 0; i < kBlock; ++i) out[i] = d * static_cast<float>(nibble(block + 2, i) - 8);
}

void take_q4_1(Bytes block, float* out) {
    const float d = scale_at(block), m = scale_at(block + 2);
    for (int i = 0; i < kBlock; ++i) {
        const float product = d * static_cast<float>(nibble(block + 4, i));
        out[i] = product + m;
    }
}

// The fifth bit of each code stands in a word of its own.
int five_bits(Bytes codes, uint32_t high, int i) {
    return nibble(codes, i) | static_cast<int>(high >> i & 1) << 4;
}

void take_q5_0(Bytes block, float* out) {
    const float d = scale_at(block);
    const uint32_t high = word_at(block + 2);
    for (int i = 0; i < kBlock; ++i) out[i] = d * static_cast<float>(five_bits(block + 6, high, i) - 16);
}

void take_q5_1(Bytes block, float* out) {
    const float d = scale_at(block), m = scale_at(block + 2);
    const uint32_t high = word_at(block + 4);
    for (int i = 0; i < kBlock; ++i) {
        const float product = d * static_cast<float>(five_bits(block + 8, high, i));
        out[i] = product + m;
    }
}

void take_q8_0(Bytes block, float* out) {
    const float d = scale_at(block);
    for (int i = 0; i < kBlock; ++i) out[i] = static_cast<float>(static_cast<signed char>(block[2 + i])) * d;
}

// 16 groups of 16 values; each has a scale in 6 bits: 4 in the first 8 bytes, 2 in the last 4.
void take_q3_k(Bytes block, float* out) {
    const Bytes high = block, low = block + 32, scales = block + 96;
    const float d = scale_at(block + 108);
    for (int i = 0; i < kSuperBlock; ++i) {
        const int group = i / 16;
        const int scale = (group < 8 ? scales[group] & 0xF : scales[group - 8] >> 4) |
                          (scales[8 + group % 4] >> (2 * (group / 4)) & 3) << 4;
        const float dl = d * static_cast<float>(scale - 32);
        const int two = low[i / 128 * 32 + i % 32] >> (2 * (i / 32 % 4)) & 3;
        const int is_low = (high[i % 32] >> (i / 32) & 1) ^ 1;
        out[i] = dl * static_cast<float>(two - is_low * 4);
    }
}

struct ScaleAndMinimum {
    float scale = 0, minimum = 0;
};

// Q4_K and Q5_K: 8 groups of 32 values; each has a scale and a minimum in 6 bits, packed into 12 bytes.
ScaleAndMinimum group_scale(Bytes packed, int group) {
    if (group < 4) return {static_cast<float>(packed[group] & 0x3F), static_cast<float>(packed[4 + group] & 0x3F)};
    const int i = group - 4;
    return {static_cast<float>((packed[8 + i] & 0xF) | (packed[i] >> 2 & 0x30)),
            static_cast<float>(packed[8 + i] >> 4 | (packed[4 + i] >> 2 & 0x30))};
}

void take_q4_or_q5_k(Bytes block, Bytes high, Bytes low, float* out) {
    const float d = scale_at(block), minimum = scale_at(block + 2);
    for (int group = 0; group < kSuperBlock / kBlock; ++group) {
        const ScaleAndMinimum s = group_scale(block + 4, group);
        const float dl = d * s.scale, dm = minimum * s.minimum;
        for (int i = 0; i < kBlock; ++i) {
            int code = low[group / 2 * kBlock + i] >> (4 * (group % 2)) & 0xF;
            if (high != nullptr) code |= (high[i] >> group & 1) << 4;
            const float product = dl * static_cast<float>(code);
            out[group * kBlock + i] = product - dm;
        }
    }
}

void take_q4_k(Bytes block, float* out) {
    take_q4_or_q5_k(block, nullptr, block + 16, out);
}

void take_q5_k(Bytes block, float* out) {
    take_q4_or_q5_k(block, block + 16, block + 48, out);
}

// 16 groups of 16 values with scales in 8 bits; codes of 4 and 2 bits.
void take_q6_k(Bytes block, float* out) {
    const Bytes low = block, high = block + 128, scales = block + 192;
    const float d = scale_at(block + 208);
    for (int i = 0; i < kSuperBlock; ++i) {
        const float dl = d * static_cast<float>(static_cast<signed char>(scales[i / 16]));
        const int four = low[i / 128 * 64 + i % 64] >> (4 * (i / 64 % 2)) & 0xF;
        const int two = high[i / 128 * 32 + i % 32] >> (2 * (i / 32 % 4)) & 3;
        out[i] = dl * static_cast<float>((four | two << 4) - 32);
    }
}

template <void take(Bytes, float*)>
void take_all(const GgufTypeInfo& info, std::string_view bytes, float* out) {
    const auto* block = reinterpret_cast<Bytes>(bytes.data());
    for (const Bytes end = block + bytes.size(); block < end; block += info.bytes, out += info.values) take(block, out);
}

}  // namespace

float half_to_float(uint16_t bits) {
    const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16, exponent = bits >> 10 & 0x1F, mantissa = bits & 0x3FF;
    if (exponent == 0) {  // zero or less than 2^-14: the mantissa counts units of 2^-24
        const float value = static_cast<float>(mantissa) * 0x1p-24f;
        return sign == 0 ? value : -value;
    }
    const uint32_t wide = exponent == 0x1F ? 0xFF : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | mantissa << 13);
}

const GgufTypeInfo* find_gguf_type(uint32_t number) {
    const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                    [&](const GgufTypeInfo& one) { return static_cast<uint32_t>(one.type) == number; });
    return found == kTypes.end() ? nullptr : &*found;
}

const GgufTypeInfo& info_of(GgufType type) {
    return *find_gguf_type(static_cast<uint32_t>(type));
}

std::string_view unread_gguf_type(uint32_t number) {
    constexpr std::array<std::pair<uint32_t, std::string_view>, 22> kOthers = {{
        {9, "Q8_1"},   {10, "Q2_K"},   {15, "Q8_K"},  {16, "IQ2_XXS"}, {17, "IQ2_XS"}, {18, "IQ3_XXS"},
        {19, "IQ1_S"}, {20, "IQ4_NL"}, {21, "IQ3_S"}, {22, "IQ2_S"},   {23, "IQ4_XS"}, {24, "I8"},
        {25, "I16"},   {26, "I32"},    {27, "I64"},   {28, "F64"},     {29, "IQ1_M"},  {34, "TQ1_0"},
        {35, "TQ2_0"}, {39, "MXFP4"},  {40, "NVFP4"}, {41, "Q1_0"},
    }};
    for (const auto& [known, name] : kOthers)
        if (known == number) return name;
    return "";
}

std::string_view gguf_type_names() {
    return "F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q3_K, Q4_K, Q5_K, Q6_K";
}

void dequantise(GgufType type, std::string_view bytes, float* out) {
    const GgufTypeInfo& info = info_of(type);
    switch (type) {
        case GgufType::f32:
            return take_all<take_f32>(info, bytes, out);
        case GgufType::f16:
            return take_all<take_f16>(info, bytes, out);
        case GgufType::bf16:
            return take_all<take_bf16>(info, bytes, out);
        case GgufType::q4_0:
            return take_all<take_q4_0>(info, bytes, out);
        case GgufType::q4_1:
            return take_all<take_q4_1>(info, bytes, out);
        case GgufType::q5_0:
            return take_all<take_q5_0>(info, bytes, out);
        case GgufType::q5_1:
            return take_all<take_q5_1>(info, bytes, out);
        case GgufType::q8_0:
            return take_all<take_q8_0>(info, bytes, out);
        case GgufType::q3_k:
            return take_all<take_q3_k>(info, bytes, out);
        case GgufType::q4_k:
            return take_all<take_q4_k>(info, bytes, out);
        case GgufType::q5_k:
            return take_all<take_q5_k>(info, bytes, out);
        case GgufType::q6_k:
            return take_all<take_q6_k>(info, bytes, out);
    }
}

}  // namespace craft
