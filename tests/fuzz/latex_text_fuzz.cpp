// libFuzzer target: any bytes as a text in LaTeX. Its words are no longer than it (but for characters that LaTeX writes in
// few letters), have no blanks at their ends, and stripping them of commands comes to an end. Run as `latex_text_fuzz
// -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "text/latex_text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const craft::LatexText read = craft::latex_text(text);
    if (read.text.size() > 2 * size) std::abort();
    if (!read.text.empty() && (read.text.front() == ' ' || read.text.back() == ' ' || read.text.back() == '\n'))
        std::abort();
    for (const auto& [kind, count] : read.dropped)
        if (count < 1) std::abort();
    return 0;
}
