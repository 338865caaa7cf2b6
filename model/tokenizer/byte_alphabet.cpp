#include "model/tokenizer/byte_alphabet.h"

#include <array>

#include "text/code_points.h"

namespace craft {

namespace {

constexpr bool is_printable(int byte) {
    return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
    std::array<std::string, 256> characters;
    std::array<int, 0x144> bytes;  // by code point; -1: not of the alphabet
    Alphabet() {
        bytes.fill(-1);
        char32_t next = 0x100;
        for (int byte = 0; byte < 256; ++byte) {
            const char32_t c = is_printable(byte) ? static_cast<char32_t>(byte) : next++;
            append_utf8(characters[static_cast<size_t>(byte)], c);
            bytes[c] = byte;
        }
    }
};

const Alphabet& alphabet() {
    static const Alphabet table;
    return table;
}

}  // namespace

std::string to_byte_alphabet(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size() * 2);
    for (const char byte : bytes) out += alphabet().characters[static_cast<unsigned char>(byte)];
    return out;
}

bool append_from_byte_alphabet(std::string& bytes, std::string_view characters) {
    const size_t before = bytes.size();
    for (size_t at = 0; at < characters.size();) {
        const CodePoint c = code_point_at(characters, at);
        const int byte = c.value < alphabet().bytes.size() ? alphabet().bytes[c.value] : -1;
        if (byte < 0) {
            bytes.resize(before);
            return false;
        }
        bytes.push_back(static_cast<char>(byte));
        at += c.bytes;
    }
    return true;
}

}  // namespace craft
