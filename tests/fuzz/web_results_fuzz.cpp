// libFuzzer target: any bytes as the answer of a SearXNG server. What is shown of it is a line a result, bounded and without
// markup. Run as `web_results_fuzz -max_total_time=60`.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "gec/retrieval/search_results.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const craft::WebResultLimits limits{.results = 3, .characters = 30};
    const craft::WebResults found = craft::read_web_results({reinterpret_cast<const char*>(data), size}, limits);
    if (!found.problem.empty() && !found.results.empty()) std::abort();
    if (found.results.size() > 3) std::abort();
    const std::string text = craft::web_results_text(found);
    if (text.find_first_of("<>\r\x1b") != std::string::npos) std::abort();
    const auto lines = std::count(text.begin(), text.end(), '\n');
    if (lines != static_cast<std::ptrdiff_t>(found.results.size())) std::abort();
    if (text.size() > 120 + 3 * (4 * (10 + 30 + 60) + 30)) std::abort();
    return 0;
}
