#include "gec/rules/correction_thresholds.h"

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"

namespace craft {

CorrectionThresholds CorrectionThresholds::load(const std::filesystem::path& file) {
    const Json json = read_json_file(file);
    if (!json.is_object()) throw Error(file.string(), "an object of thresholds", json.type_name());
    CorrectionThresholds thresholds;
    for (const auto& [name, value] : json.items()) {
        if (!value.is_number()) throw Error(file.string() + ": '" + name + "'", "a number of nats", dump_line(value));
        thresholds.nats_[correction_kind(name)] = value.get<double>();
    }
    for (const CorrectionKind kind : correction_kinds())
        if (!thresholds.nats_.contains(kind))
            throw Error(file.string(), std::string("a threshold of '") + correction_kind_name(kind) + "'", "none");
    return thresholds;
}

CorrectionThresholds CorrectionThresholds::shipped() {
    return load(share_folder() / "gec" / "correction_thresholds.json");
}

}  // namespace craft
