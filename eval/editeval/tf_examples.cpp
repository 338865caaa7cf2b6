#include "eval/editeval/tf_examples.h"

#include <cstdint>
#include <functional>

#include "core/error.h"
#include "core/tensorboard.h"

namespace craft {

namespace {

uint64_t little_endian(std::string_view bytes) {
    uint64_t value = 0;
    for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

// The fields of a protocol buffer's message, one after the other.
class MessageFields {
public:
    MessageFields(std::string_view bytes, const std::string& where) : rest_(bytes), where_(where) {}
    // Calls on_bytes(number, bytes) for each field of bytes; numbers are passed over.
    void for_each(const std::function<void(uint64_t, std::string_view)>& on_bytes) {
        while (!rest_.empty()) {
            const uint64_t key = varint();
            switch (key & 7) {
                case 0:
                    varint();
                    break;
                case 1:
                    take(8);
                    break;
                case 2:
                    on_bytes(key >> 3, take(varint()));
                    break;
                case 5:
                    take(4);
                    break;
                default:
                    fail();
            }
        }
    }

private:
    [[noreturn]] void fail() const { throw Error(where_, "a tf.train.Example", "another message"); }
    uint64_t varint() {
        uint64_t value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80) return value;
        }
        fail();
    }
    std::string_view take(uint64_t size) {
        if (size > rest_.size()) fail();
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }

    std::string_view rest_;
    const std::string& where_;
};

// The field `wanted` of a message, each time that it stands there.
std::vector<std::string_view> parts_of(std::string_view message, uint64_t wanted, const std::string& where) {
    std::vector<std::string_view> parts;
    MessageFields(message, where).for_each([&](uint64_t number, std::string_view bytes) {
        if (number == wanted) parts.push_back(bytes);
    });
    return parts;
}

}  // namespace

std::vector<std::string_view> tf_records(std::string_view bytes, const std::string& where) {
    constexpr size_t kLength = 8, kChecksum = 4;
    std::vector<std::string_view> records;
    while (!bytes.empty()) {
        const std::string place = where + ": record " + std::to_string(records.size() + 1);
        if (bytes.size() < kLength + kChecksum) throw Error(place, "a TFRecord's length", "the end of the file");
        const uint64_t length = little_endian(bytes.substr(0, kLength));
        if (masked_crc32c(bytes.substr(0, kLength)) != little_endian(bytes.substr(kLength, kChecksum)))
            throw Error(place, "a TFRecord's length with its checksum", "another checksum");
        bytes.remove_prefix(kLength + kChecksum);
        if (length > bytes.size() || bytes.size() - length < kChecksum)
            throw Error(place, std::to_string(length) + " bytes and their checksum", "the end of the file");
        records.push_back(bytes.substr(0, length));
        if (masked_crc32c(records.back()) != little_endian(bytes.substr(length, kChecksum)))
            throw Error(place, "bytes that fit their checksum", "others");
        bytes.remove_prefix(length + kChecksum);
    }
    return records;
}

std::map<std::string, std::vector<std::string>> tf_example_texts(std::string_view record, const std::string& where) {
    std::map<std::string, std::vector<std::string>> texts;
    // Example{1: Features{1: {1: name, 2: Feature{1: BytesList{1: bytes}}}}}
    for (const std::string_view features : parts_of(record, 1, where))
        for (const std::string_view entry : parts_of(features, 1, where)) {
            std::string name;
            for (const std::string_view part : parts_of(entry, 1, where)) name = part;
            for (const std::string_view feature : parts_of(entry, 2, where))
                for (const std::string_view list : parts_of(feature, 1, where))
                    for (const std::string_view bytes : parts_of(list, 1, where)) texts[name].emplace_back(bytes);
        }
    return texts;
}

}  // namespace craft
