// MessagePack documents of a spaCy package, whose maps have numbers and byte strings for keys, which JSON has not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// A value of a MessagePack document. Text and bytes point into the document, which must outlive it.
struct MsgpackValue {
    enum class Kind { nil, boolean, integer, real, text, bytes, array, map };
    Kind kind = Kind::nil;
    bool boolean = false;
    uint64_t integer = 0;   // a negative one as its two's complement
    bool negative = false;  // of an integer
    double real = 0;
    std::string_view text;            // of text and bytes
    std::vector<MsgpackValue> items;  // of an array its items; of a map key, value, key, value, ...

    // The value under a key that is this text (or these bytes); nullptr if there is none, or this is no map.
    const MsgpackValue* find(std::string_view key) const;
    bool is_text() const { return kind == Kind::text; }
    bool is_array() const { return kind == Kind::array; }
    bool is_map() const { return kind == Kind::map; }
    bool is_natural() const { return kind == Kind::integer && !negative; }
};

// Reads one value and nothing after it. Throws Error naming `where` and the byte offset if the document is cut short,
// continues after its value, nests deeper than 32, has an extension type or text that is not UTF-8.
MsgpackValue parse_msgpack(std::string_view document, const std::string& where);

}  // namespace craft
