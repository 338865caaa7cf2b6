// The types of GGUF's tensors: what their blocks hold, and the numbers that they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace craft {

// As the format numbers them.
enum class GgufType : uint32_t {
    f32 = 0,
    f16 = 1,
    q4_0 = 2,
    q4_1 = 3,
    q5_0 = 6,
    q5_1 = 7,
    q8_0 = 8,
    q3_k = 11,
    q4_k = 12,
    q5_k = 13,
    q6_k = 14,
    bf16 = 30,
};

struct GgufTypeInfo {
    GgufType type;
    std::string_view name;   // "Q4_1"
    uint64_t values, bytes;  // of a block
};

// nullptr: a number of the format's that cannot be read here, or none.
const GgufTypeInfo* find_gguf_type(uint32_t number);
const GgufTypeInfo& info_of(GgufType type);
// The name of a type of the format that cannot be read ("IQ2_XS"); "" for numbers that the format does not have.
std::string_view unread_gguf_type(uint32_t number);
// "F32, F16, ...": those that can be read.
std::string_view gguf_type_names();

// The float32 values of whole blocks, as ggml's and the gguf package's arithmetic gives them: each operation is rounded to
// float32, in that order. `bytes` may lie at any address; `out` has room for bytes.size() / block bytes * block values.
void dequantise(GgufType type, std::string_view bytes, float* out);

float half_to_float(uint16_t bits);

}  // namespace craft
