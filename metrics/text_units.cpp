#include "metrics/text_units.h"

#include "text/sentences.h"
#include "text/utf8.h"

namespace craft {

std::vector<std::string_view> text_sentences(std::string_view text, SentenceUnit unit) {
    if (unit == SentenceUnit::icu) return sentence_views(text, SentenceRule::icu);
    std::vector<std::string_view> lines;
    for (size_t begin = 0; begin < text.size();) {
        const size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = trim_view(text.substr(begin, end - begin));
        if (!line.empty()) lines.push_back(line);
        begin = end + 1;
    }
    return lines;
}

}  // namespace craft
