#include "cli/model_memory.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "core/model_files.h"
#include "model/decoder/loading_memory.h"
#include "model/encoder/encoder.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Where a command's decoders lie.
Placement place_of_decoders(const OptionTable& table, const CommonOptions& common) {
    const Placement place = open_placement(common);
    const bool has_rules = table.resolved().contains(Json::json_pointer("/rules/model"));  // open_gec_rules()
    return has_rules ? in_bfloat16_where_fast(place, common) : place;
}

Quantization asked_quantization(const OptionTable& table) {
    const Json asked = table.resolved().value("quantize", Json());
    for (const Quantization one : {Quantization::int8, Quantization::nf4, Quantization::blocks})
        if (asked == name_of(one)) return one;
    return Quantization::none;
}

}  // namespace

void expect_models_fit(const OptionTable& table, const CommonOptions& common, const std::vector<fs::path>& inputs) {
    std::vector<fs::path> models;
    std::copy_if(inputs.begin(), inputs.end(), std::back_inserter(models), [](const fs::path& input) {
        std::error_code code;
        return is_model_file(input) || fs::is_directory(input, code);
    });
    if (models.empty()) return;  // a command without models may have a --device that does not work
    const Placement place = place_of_decoders(table, common);
    const Quantization quantization = asked_quantization(table);
    std::set<fs::path> counted;
    std::string names;
    MemoryNeed all;
    int64_t copied = 0, mapped = 0;  // mapped: of one model; the system can take back pages to which nothing was written
    for (const fs::path& model : models) {
        const auto memory = known_loading_memory(model, place.dtype, place.device, quantization);
        if (const auto encoder = memory ? std::nullopt : known_encoder_memory(model, place.dtype))
            refuse_beyond_memory(model.string(), *encoder, place.device);
        if (!memory || !counted.insert(fs::weakly_canonical(located_model(model))).second) continue;
        all = memory_need(*memory, place.dtype, quantization);
        refuse_beyond_memory(model.string(), all, place.device);
        names += (names.empty() ? "" : ", ") + model.string();
        copied += memory->copied;
        mapped = std::max(mapped, memory->kept - memory->copied);
    }
    if (counted.size() < 2) return;
    all.weights = copied + mapped;
    refuse_beyond_memory(names, all, place.device);
}

void expect_model_fits(const fs::path& model, const Placement& place, const NonWeightMemory& besides) {
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
