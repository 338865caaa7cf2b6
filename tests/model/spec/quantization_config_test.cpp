#include "model/spec/quantization_config.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

std::string refusal_of(const Json& asked) {
    try {
        is_stored_in_nf4({{"quantization_config", asked}}, "config.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(QuantizationConfig, OtherKindsOfQuantisationAreRefusedByName) {
    EXPECT_FALSE(is_stored_in_nf4(Json::object(), "config.json"));
    EXPECT_FALSE(is_stored_in_nf4({{"quantization_config", nullptr}}, "config.json"));
    const Json nf4 = {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}, {"bnb_4bit_quant_type", "nf4"}};
    EXPECT_TRUE(is_stored_in_nf4({{"quantization_config", nf4}}, "config.json"));
    for (const char* method : {"gptq", "awq", "fp8", "compressed-tensors", "hqq"})
        EXPECT_NE(refusal_of({{"quant_method", method}}).find(method), std::string::npos) << method;
    Json fp4 = nf4;
    fp4["bnb_4bit_quant_type"] = "fp4";
    EXPECT_NE(refusal_of(fp4).find("fp4"), std::string::npos);
    fp4.erase("bnb_4bit_quant_type");  // bitsandbytes' default
    EXPECT_NE(refusal_of(fp4).find("fp4"), std::string::npos);
    EXPECT_NE(refusal_of({{"quant_method", "bitsandbytes"}, {"load_in_8bit", true}}).find("LLM.int8"), std::string::npos);
}

}  // namespace
}  // namespace craft
