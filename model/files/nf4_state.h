// What bitsandbytes writes beside the codes of a weight in NF4: JSON in a tensor of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// The tensor's name is the weight's with this after it.
inline constexpr std::string_view kNf4StateEnding = ".quant_state.bitsandbytes__nf4";

struct Nf4State {
    std::vector<int64_t> shape;
    int64_t block = 64, nested_block = 256;
    bool is_nested = false;
    float offset = 0;
};
// Any bytes. Throws Error naming `where`: no JSON, missing keys, another quant_type, blocks that bitsandbytes does not have.
Nf4State parse_nf4_state(std::string_view text, const std::string& where);

}  // namespace craft
