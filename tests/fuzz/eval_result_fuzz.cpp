// libFuzzer target: a result of `eval`. It is refused with an error, or is compared with itself, where every item is a tie,
// and fills a table or not. Run as `eval_result_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "eval/results/comparison.h"
#include "eval/results/table_layouts.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    craft::Json document;
    try {
        document = craft::parse_json(std::string(reinterpret_cast<const char*>(data), size), "input");
    } catch (const craft::Error&) {
        return 0;
    }
    try {
        const craft::EvalResult result = craft::eval_result_from_json(document, "input");
        craft::ComparisonOptions options;
        options.resamples = 10;
        const craft::Comparison same = craft::compare_results(result, result, "", options);
        if (same.wins != 0 || same.losses != 0 || same.ties != same.n || same.result.p != 1) std::abort();
    } catch (const craft::Error&) {}
    for (const auto layout : {craft::TableLayout::t3, craft::TableLayout::t8, craft::TableLayout::t11}) {
        try {
            const craft::Table table =
                craft::make_table(layout, {{{"Iter", "c1", "f"}, document}, {{"B", "c1", "f"}, document}});
            craft::print_table(table, craft::TableFormat::latex);
        } catch (const craft::Error&) {}
    }
    return 0;
}
