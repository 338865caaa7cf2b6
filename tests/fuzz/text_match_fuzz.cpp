// libFuzzer target: a source and a target, parted by a NUL byte, go through what compares them; the changes found must make
// the target of the source, and figures stay within their scale. Build with clang and -DCRAFT_FUZZ=ON; run as
// `text_match_fuzz -max_total_time=60`.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "metrics/diff_match.h"
#include "metrics/registry.h"
#include "metrics/sequence_matcher.h"
#include "text/code_points.h"
#include "text/python_list.h"
#include "text/treebank_detokenizer.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

void changes_make_the_target(const std::string& source, const std::string& target) {
    const std::u32string from = craft::decode_utf8(source), to = craft::decode_utf8(target);
    std::u32string made;
    size_t kept = 0;
    for (const craft::TextChange& change : craft::text_changes(from, to)) {
        require(change.a_from >= kept && change.a_to >= change.a_from && change.b_to >= change.b_from);
        made.append(from, kept, change.a_from - kept).append(to, change.b_from, change.b_to - change.b_from);
        kept = change.a_to;
    }
    made.append(from, kept);
    require(made == to);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const size_t end = std::min(text.find('\0'), size);
    const std::string source = text.substr(0, end), target = end < size ? text.substr(end + 1) : "";
    changes_make_the_target(source, target);
    craft::python_list({source, target});
    for (const char* name : {"diff_match", "insert_delete", "gleu", "rouge", "update_rouge"}) {
        const auto metric = craft::make_metric(name, {});
        for (const std::string& prediction : {target, craft::treebank_detokenize(target)}) {
            const double value = *metric->measure({"x", source, prediction, {target, source}}).value;
            require(value >= 0 && value <= 1);
        }
    }
    return 0;
}
