#include "cli/model_memory.h"

#include "model/decoder/loading_memory.h"

namespace craft {

namespace {

Quantization asked_quantization(const OptionTable& table) {
    const Json asked = table.resolved().value("quantize", Json());
    for (const Quantization one : {Quantization::int8, Quantization::nf4, Quantization::blocks})
        if (asked == name_of(one)) return one;
    return Quantization::none;
}

}  // namespace

const std::vector<std::filesystem::path>& expect_models_fit(const OptionTable& table, const Placement& place,
                                                            const std::vector<std::filesystem::path>& inputs) {
    for (const std::filesystem::path& input : inputs)
        refuse_beyond_memory(input, place.dtype, place.device, asked_quantization(table));
    return inputs;
}

void expect_model_fits(const std::filesystem::path& model, const Placement& place, const BesideWeights& besides) {
    const auto memory = known_loading_memory(model, place.dtype, place.device, Quantization::none);
    if (!memory) return;
    MemoryNeed need = memory_need(*memory, place.dtype, Quantization::none);
    need.besides = besides.processes * besides.bytes(need.weights / static_cast<int64_t>(c10::elementSize(place.dtype)));
    need.weights *= besides.processes;
    need.purpose = besides.what;
    if (besides.processes > 1) need.form += " in " + std::to_string(besides.processes) + " ranks";
    need.hint = "an adapter instead of all weights, or a smaller model";
    refuse_beyond_memory(model.string(), need, place.device);
}

}  // namespace craft
