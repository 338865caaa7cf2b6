// Text that remembers which of its bytes come from a conversation and not from the template.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft::jinja {

constexpr int kTemplate = -2;  // the template's own text
constexpr int kOther = -1;     // from outside, but from no message: tools, variables

// Bytes [begin, end) come from message number `source`, or from kOther.
struct Mark {
    size_t begin = 0, end = 0;
    int source = kOther;
    bool operator==(const Mark&) const = default;
};

// UTF-8. Marks ascend and do not overlap; unmarked bytes are the template's.
struct MarkedText {
    std::string bytes;
    std::vector<Mark> marks;
    bool safe = false;  // what Jinja's filter `safe` made: `+` escapes what is joined to it

    MarkedText() = default;
    explicit MarkedText(std::string text, int source = kTemplate);
    size_t size() const { return bytes.size(); }
    void append(const MarkedText& other);
    void append(std::string_view text) { bytes.append(text); }
    void append_slice(const MarkedText& other, size_t begin, size_t end);
};

// Bytes [begin, end) with their marks.
MarkedText slice(const MarkedText& text, size_t begin, size_t end);
// `bytes` computed from `from`, byte for byte where lengths are equal; else all of it is marked if any of `from` was.
MarkedText derived(std::string bytes, const MarkedText& from);

}  // namespace craft::jinja
