// libFuzzer target: a text whose names and LaTeX are kept by itself. What is found stands in the text, each once, and a text
// keeps all that it has. Run as `kept_text_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "judge/fidelity/capital_names.h"
#include "judge/fidelity/keyword_preservation.h"
#include "text/latex.h"

namespace {

void check(const std::string& text, const std::vector<std::string>& found) {
    std::set<std::string> seen;
    for (const std::string& keyword : found)
        if (keyword.empty() || text.find(keyword) == std::string::npos || !seen.insert(keyword).second) std::abort();
    const craft::KeywordPreservation kept = craft::keyword_preservation(text, text, found);
    if (kept.kept != kept.occurrences || kept.share().value_or(1) != 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    check(text, craft::capital_names(text));
    check(text, craft::latex_keywords(text));
    return 0;
}
