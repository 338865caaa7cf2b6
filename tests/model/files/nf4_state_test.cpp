#include "model/files/nf4_state.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

const char* const kState = R"({"quant_type": "nf4", "blocksize": 64, "dtype": "float32", "shape": [32, 24],
    "nested_blocksize": 256, "nested_dtype": "float32", "nested_offset": 0.25})";

std::string state_with(const std::string& from, const std::string& to) {
    std::string text = kState;
    text.replace(text.find(from), from.size(), to);
    return text;
}

TEST(Nf4State, StateIsRead) {
    const Nf4State state = parse_nf4_state(kState, "w");
    EXPECT_EQ(state.shape, (std::vector<int64_t>{32, 24}));
    EXPECT_EQ(state.block, 64);
    EXPECT_EQ(state.nested_block, 256);
    EXPECT_TRUE(state.is_nested);
    EXPECT_EQ(state.offset, 0.25F);
}

TEST(Nf4State, StatesThatAreRefused) {
    const std::vector<std::string> bad = {
        "",
        "[]",
        "{",
        "{}",
        std::string("\0\xff", 2),
        std::string(70000, ' '),
        state_with("nf4", "fp4"),
        state_with("64", "63"),
        state_with("64", "-64"),
        state_with("64", "16"),
        state_with("64", "8192"),
        state_with("64", "1e300"),
        state_with("[32, 24]", "[32]"),
        state_with("[32, 24]", "[32, -24]"),
        state_with("[32, 24]", "[0, 24]"),
        state_with("[32, 24]", "[4294967296, 4294967296]"),
        state_with("[32, 24]", "null"),
        state_with("256", "\"256\""),
        state_with("0.25", "1e300"),
        state_with("0.25", "null"),
    };
    for (const std::string& text : bad) EXPECT_THROW(parse_nf4_state(text, "w"), Error) << text.substr(0, 200);
}

}  // namespace
}  // namespace craft
