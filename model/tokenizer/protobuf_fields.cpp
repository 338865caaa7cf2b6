#include "model/tokenizer/protobuf_fields.h"

#include <bit>

#include "core/error.h"

namespace craft {

namespace {

class FieldReader {
public:
    FieldReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}
    bool at_end() const { return at_ == bytes_.size(); }

    ProtobufField next() {
        const uint64_t tag = number();
        if (tag >> 3 == 0 || tag >> 3 > (1u << 29)) fail();
        ProtobufField field;
        field.number = static_cast<uint32_t>(tag >> 3);
        switch (tag & 7) {
            case 0:
                field.value = number();
                break;
            case 1:
                field.type = ProtobufField::Type::fixed64;
                field.value = fixed(8);
                break;
            case 2: {
                field.type = ProtobufField::Type::bytes;
                const uint64_t length = number();
                if (length > bytes_.size() - at_) fail();
                field.bytes = bytes_.substr(at_, length);
                at_ += length;
                break;
            }
            case 5:
                field.type = ProtobufField::Type::fixed32;
                field.value = fixed(4);
                break;
            default:
                fail();
        }
        return field;
    }

private:
    [[noreturn]] void fail() const {
        throw Error(where_, "a protobuf message",
                    "other bytes at " + std::to_string(at_) + " of " + std::to_string(bytes_.size()));
    }
    // Seven bits a byte, the low ones first.
    uint64_t number() {
        uint64_t value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            if (at_end()) fail();
            const auto byte = static_cast<unsigned char>(bytes_[at_++]);
            value |= static_cast<uint64_t>(byte & 0x7F) << std::min(shift, 63);
            if (byte < 0x80) return value;
        }
        fail();
    }
    uint64_t fixed(size_t size) {
        if (size > bytes_.size() - at_) fail();
        uint64_t value = 0;
        for (size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at_ + i]);
        at_ += size;
        return value;
    }

    std::string_view bytes_;
    std::string where_;
    size_t at_ = 0;
};

}  // namespace

uint64_t ProtobufField::as_number(const std::string& where) const {
    if (type != Type::number) throw Error(where, "a whole number", "another type of field");
    return value;
}

float ProtobufField::as_float(const std::string& where) const {
    if (type != Type::fixed32) throw Error(where, "a float", "another type of field");
    return std::bit_cast<float>(static_cast<uint32_t>(value));
}

void for_each_field(std::string_view bytes, const std::string& where,
                    const std::function<void(const ProtobufField&)>& take) {
    FieldReader reader(bytes, where);
    while (!reader.at_end()) take(reader.next());
}

}  // namespace craft
