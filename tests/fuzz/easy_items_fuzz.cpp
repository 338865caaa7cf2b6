// libFuzzer target: any bytes as a row of `eval easy`. What is read has an id and constraints in words. Run as
// `easy_items_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "judge/verdicts/easy_items.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    try {
        const craft::Json row = craft::parse_json(std::string(reinterpret_cast<const char*>(data), size), "row");
        if (!row.is_object()) return 0;
        const craft::EasyItem item = craft::easy_item_from_json(row, "row");
        if (item.constraints.empty()) std::abort();
        for (const craft::EasyConstraint& constraint : item.constraints)
            if (constraint.text.empty()) std::abort();
    } catch (const craft::Error&) {
        return 0;
    }
    return 0;
}
