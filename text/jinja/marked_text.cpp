#include "text/jinja/marked_text.h"

#include <algorithm>

namespace craft::jinja {

MarkedText::MarkedText(std::string text, int source) : bytes(std::move(text)) {
    if (source != kTemplate && !bytes.empty()) marks.push_back({0, bytes.size(), source});
}

void MarkedText::append(const MarkedText& other) {
    append_slice(other, 0, other.size());
}

void MarkedText::append_slice(const MarkedText& other, size_t begin, size_t end) {
    const size_t base = bytes.size();
    for (const Mark& mark : other.marks) {
        const size_t from = std::max(mark.begin, begin), to = std::min(mark.end, end);
        if (from >= to) continue;
        const Mark moved{base + from - begin, base + to - begin, mark.source};
        if (!marks.empty() && marks.back().end == moved.begin && marks.back().source == moved.source)
            marks.back().end = moved.end;
        else
            marks.push_back(moved);
    }
    bytes.append(other.bytes, begin, end - begin);
}

MarkedText slice(const MarkedText& text, size_t begin, size_t end) {
    MarkedText part;
    part.append_slice(text, begin, end);
    return part;
}

MarkedText derived(std::string bytes, const MarkedText& from) {
    if (from.marks.empty()) return MarkedText(std::move(bytes));
    if (bytes.size() != from.size()) return MarkedText(std::move(bytes), from.marks.front().source);
    MarkedText text(std::move(bytes));
    text.marks = from.marks;
    return text;
}

}  // namespace craft::jinja
