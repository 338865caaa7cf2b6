#include "model/spec/quantization_config.h"

#include "core/error.h"

namespace craft {

namespace {

const char* const kSupported = "bitsandbytes' NF4 (load_in_4bit, bnb_4bit_quant_type nf4), or no quantisation";
const char* const kHint = "give the folder that it was made from, with --quantize nf4 or int8";

}  // namespace

bool is_stored_in_nf4(const Json& config, const std::string& file) {
    if (!config.is_object() || !config.contains("quantization_config") || config["quantization_config"].is_null())
        return false;
    const Json& asked = config["quantization_config"];
    const std::string where = file + ": quantization_config";
    const auto shown = [](const Json& value) { return dump_line(value).substr(0, 80); };
    if (!asked.is_object()) throw Error(where, "an object", shown(asked));
    const auto value = [&](const char* key) { return asked.contains(key) ? asked[key] : Json(); };
    if (value("quant_method") != "bitsandbytes")
        throw Error(where + ".quant_method", kSupported, shown(value("quant_method")), kHint);
    if (value("load_in_8bit") == true || value("_load_in_8bit") == true)
        throw Error(where, kSupported, "load_in_8bit (LLM.int8)", kHint);
    if (value("load_in_4bit") != true && value("_load_in_4bit") != true)
        throw Error(where + ".load_in_4bit", "true", shown(value("load_in_4bit")), kHint);
    if (value("bnb_4bit_quant_type") != "nf4")
        throw Error(where + ".bnb_4bit_quant_type", "nf4",
                    shown(value("bnb_4bit_quant_type").is_null() ? Json("fp4") : value("bnb_4bit_quant_type")), kHint);
    return true;
}

}  // namespace craft
