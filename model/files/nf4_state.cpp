#include "model/files/nf4_state.h"

#include <cmath>

#include "core/error.h"
#include "core/json.h"

namespace craft {

namespace {

std::string shown_json(const Json& value) {
    return dump_line(value).substr(0, 80);
}

int64_t size_of_block(const Json& state, const char* key, const std::string& where) {
    const Json value = state.contains(key) ? state[key] : Json();
    const bool is_power = value.is_number_unsigned() && value.get<uint64_t>() >= 32 && value.get<uint64_t>() <= 4096 &&
                          (value.get<uint64_t>() & (value.get<uint64_t>() - 1)) == 0;
    if (!is_power) throw Error(where + ": " + key, "a power of 2 from 32 to 4096", shown_json(value));
    return value.get<int64_t>();
}

}  // namespace

Nf4State parse_nf4_state(std::string_view text, const std::string& where) {
    if (text.size() > 65536) throw Error(where, "at most 64 KiB of JSON", std::to_string(text.size()) + " bytes");
    const Json json = parse_json(std::string(text), where);
    if (!json.is_object()) throw Error(where, "a JSON object", json.type_name());
    const auto value = [&](const char* key) { return json.contains(key) ? json[key] : Json(); };
    if (value("quant_type") != "nf4") throw Error(where + ": quant_type", "nf4", shown_json(value("quant_type")));
    Nf4State state;
    state.block = size_of_block(json, "blocksize", where);
    const Json shape = value("shape");
    if (!shape.is_array() || shape.size() != 2) throw Error(where + ": shape", "two sizes", shown_json(shape));
    for (const Json& size : shape) {
        if (!size.is_number_unsigned() || size.get<uint64_t>() < 1 || size.get<uint64_t>() > (uint64_t{1} << 31))
            throw Error(where + ": shape", "two sizes", shown_json(shape));
        state.shape.push_back(size.get<int64_t>());
    }
    state.is_nested = json.contains("nested_blocksize");
    if (!state.is_nested) return state;
    state.nested_block = size_of_block(json, "nested_blocksize", where);
    const Json offset = value("nested_offset");
    if (!offset.is_number() || !std::isfinite(static_cast<float>(offset.get<double>())))
        throw Error(where + ": nested_offset", "a finite number", shown_json(offset));
    state.offset = static_cast<float>(offset.get<double>());
    return state;
}

}  // namespace craft
