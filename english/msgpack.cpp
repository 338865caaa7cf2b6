#include "english/msgpack.h"

#include <bit>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr int kDeepest = 32;

class MsgpackReader {
public:
    MsgpackReader(std::string_view document, const std::string& where) : document_(document), where_(where) {}

    MsgpackValue read_whole() {
        MsgpackValue value = read(0);
        if (at_ != document_.size()) fail("its end", std::to_string(document_.size() - at_) + " bytes more");
        return value;
    }

private:
    [[noreturn]] void fail(const std::string& expected, const std::string& got) const {
        throw Error(where_ + ": byte " + std::to_string(at_), expected, got);
    }

    size_t left() const { return document_.size() - at_; }

    // Big-endian, as the format has it.
    uint64_t number(size_t bytes) {
        if (left() < bytes) fail(std::to_string(bytes) + " bytes", "the file's end");
        uint64_t value = 0;
        for (size_t i = 0; i < bytes; ++i) value = value << 8 | static_cast<unsigned char>(document_[at_ + i]);
        at_ += bytes;
        return value;
    }

    MsgpackValue string(MsgpackValue::Kind kind, uint64_t length) {
        if (length > left()) fail("a string of " + std::to_string(length) + " bytes", "the file's end");
        MsgpackValue value;
        value.kind = kind;
        value.text = document_.substr(at_, length);
        if (kind == MsgpackValue::Kind::text && invalid_utf8_at(value.text) != std::string_view::npos)
            fail("text in UTF-8", "bytes that are not");
        at_ += length;
        return value;
    }

    MsgpackValue list(MsgpackValue::Kind kind, uint64_t values, int depth) {
        if (depth >= kDeepest) fail("values within at most " + std::to_string(kDeepest) + " others", "more");
        // Each value takes a byte at least: a size that the file cannot hold is refused before memory is taken for it.
        if (values > left()) fail(std::to_string(values) + " values", "the file's end");
        MsgpackValue value;
        value.kind = kind;
        for (uint64_t i = 0; i < values; ++i) value.items.push_back(read(depth + 1));
        return value;
    }

    template <class Integer>
    MsgpackValue signed_integer() {
        const Integer narrow = static_cast<Integer>(number(sizeof(Integer)));
        const int64_t read_number = int64_t{0} + narrow;  // with its sign
        MsgpackValue value;
        value.kind = MsgpackValue::Kind::integer;
        value.negative = read_number < 0;
        value.integer = static_cast<uint64_t>(read_number);
        return value;
    }

    MsgpackValue natural(uint64_t integer) {
        MsgpackValue value;
        value.kind = MsgpackValue::Kind::integer;
        value.integer = integer;
        return value;
    }

    MsgpackValue real(double number_read) {
        MsgpackValue value;
        value.kind = MsgpackValue::Kind::real;
        value.real = number_read;
        return value;
    }

    MsgpackValue read(int depth) {
        using Kind = MsgpackValue::Kind;
        const auto first = static_cast<uint8_t>(number(1));
        if (first < 0x80) return natural(first);
        if (first < 0x90) return list(Kind::map, uint64_t{2} * (first & 0x0FU), depth);
        if (first < 0xA0) return list(Kind::array, first & 0x0F, depth);
        if (first < 0xC0) return string(Kind::text, first & 0x1F);
        if (first >= 0xE0) {
            MsgpackValue value = natural(~uint64_t{0xFF} | first);
            value.negative = true;
            return value;
        }
        return first < 0xD4 ? read_scalar(first) : read_sized(first, depth);
    }

    MsgpackValue read_scalar(uint8_t first) {
        using Kind = MsgpackValue::Kind;
        switch (first) {
            case 0xC0:
                return {};
            case 0xC2:
            case 0xC3: {
                MsgpackValue value;
                value.kind = Kind::boolean;
                value.boolean = first == 0xC3;
                return value;
            }
            case 0xC4:
            case 0xC5:
            case 0xC6:
                return string(Kind::bytes, number(size_t{1} << (first - 0xC4)));
            case 0xCA:
                return real(std::bit_cast<float>(static_cast<uint32_t>(number(4))));
            case 0xCB:
                return real(std::bit_cast<double>(number(8)));
            case 0xCC:
            case 0xCD:
            case 0xCE:
            case 0xCF:
                return natural(number(size_t{1} << (first - 0xCC)));
            case 0xD0:
                return signed_integer<int8_t>();
            case 0xD1:
                return signed_integer<int16_t>();
            case 0xD2:
                return signed_integer<int32_t>();
            case 0xD3:
                return signed_integer<int64_t>();
            default:
                refuse(first);
        }
    }

    // Texts, arrays and maps whose size stands before them.
    MsgpackValue read_sized(uint8_t first, int depth) {
        using Kind = MsgpackValue::Kind;
        switch (first) {
            case 0xD9:
            case 0xDA:
            case 0xDB:
                return string(Kind::text, number(size_t{1} << (first - 0xD9)));
            case 0xDC:
                return list(Kind::array, number(2), depth);
            case 0xDD:
                return list(Kind::array, number(4), depth);
            case 0xDE:
                return list(Kind::map, 2 * number(2), depth);
            case 0xDF:
                return list(Kind::map, 2 * number(4), depth);
            default:
                refuse(first);
        }
    }

    [[noreturn]] void refuse(uint8_t type) const {
        fail("a type of MessagePack without extensions", "type " + std::to_string(type));
    }

    std::string_view document_;
    const std::string& where_;
    size_t at_ = 0;
};

}  // namespace

const MsgpackValue* MsgpackValue::find(std::string_view key) const {
    if (kind != Kind::map) return nullptr;
    for (size_t i = 0; i + 1 < items.size(); i += 2)
        if ((items[i].kind == Kind::text || items[i].kind == Kind::bytes) && items[i].text == key) return &items[i + 1];
    return nullptr;
}

MsgpackValue parse_msgpack(std::string_view document, const std::string& where) {
    return MsgpackReader(document, where).read_whole();
}

}  // namespace craft
