// Weights in few bits as folders hold them: what bitsandbytes and transformers write for NF4.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/kernels/quantized_weight.h"
#include "model/weights/weight_files.h"

namespace craft {

inline constexpr std::string_view kNf4StateEnding = ".quant_state.bitsandbytes__nf4";

// NAME.weight.quant_state.bitsandbytes__nf4: what bitsandbytes writes beside the codes, as JSON.
struct Nf4State {
    std::vector<int64_t> shape;
    int64_t block = 64, nested_block = 256;
    bool is_nested = false;
    float offset = 0;
};
// Any bytes. Throws Error naming `where`: no JSON, missing keys, another quant_type, blocks that bitsandbytes does not have.
Nf4State parse_nf4_state(std::string_view text, const std::string& where);

// True if the folder holds the linear weight `name` in 4 bits.
bool has_nf4(const WeightFiles& files, const std::string& name);
// Checks the tensors of a weight [rows, columns] in 4 bits against each other before memory is taken; they count as known.
// Throws Error naming file and tensor.
void expect_nf4(WeightFiles& files, const std::string& name, int64_t rows, int64_t columns);
// Reads what expect_nf4 checked.
QuantizedWeight read_nf4(const WeightFiles& files, const std::string& name, const at::Device& device);

}  // namespace craft
