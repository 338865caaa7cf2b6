#include "core/tensorboard.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>

#include "core/append_file.h"
#include "core/error.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = "events.out.tfevents.";

std::array<uint32_t, 256> crc_table() {
    std::array<uint32_t, 256> table{};
    for (uint32_t i = 0; i < table.size(); ++i) {
        uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
        table[i] = crc;
    }
    return table;
}

template <class T>
std::string little_endian(T value) {
    std::string bytes;
    for (size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>((value >> (8 * i)) & 0xFFU);
    return bytes;
}

// Protobuf wire format: varint, and fields of the wire types varint (0), fixed64 (1), bytes (2) and fixed32 (5).
std::string varint(uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes += static_cast<char>((value & 0x7FU) | 0x80U);
    return bytes + static_cast<char>(value);
}
std::string key(int field, int wire_type) {
    return varint(static_cast<uint64_t>(field) << 3 | static_cast<uint64_t>(wire_type));
}
std::string integer_field(int field, int64_t value) {
    return key(field, 0) + varint(static_cast<uint64_t>(value));
}
std::string double_field(int field, double value) {
    return key(field, 1) + little_endian(std::bit_cast<uint64_t>(value));
}
std::string float_field(int field, float value) {
    return key(field, 5) + little_endian(std::bit_cast<uint32_t>(value));
}
std::string bytes_field(int field, std::string_view value) {
    return key(field, 2) + varint(value.size()) + std::string(value);
}

double seconds_now() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

// tensorflow/core/util/event.proto: Event {wall_time = 1, step = 2, file_version = 3, summary = 5, session_log = 7}.
std::string event(int64_t step, const std::string& what) {
    return double_field(1, seconds_now()) + (step != 0 ? integer_field(2, step) : "") + what;
}

// The time in a file's name, which orders the files; 0 for other files.
int64_t name_time(const std::string& name) {
    int64_t time = 0;
    if (name.rfind(kPrefix, 0) == 0) std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), time);
    return time;
}

int64_t newest_time(const fs::path& folder) {
    int64_t newest = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        newest = std::max(newest, name_time(entry.path().filename().string()));
    return newest;
}

}  // namespace

uint32_t crc32c(std::string_view bytes) {
    static const std::array<uint32_t, 256> table = crc_table();
    uint32_t crc = ~uint32_t{0};
    for (const char byte : bytes) crc = table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (crc >> 8);
    return ~crc;
}

uint32_t masked_crc32c(std::string_view bytes) {
    const uint32_t crc = crc32c(bytes);
    return std::rotr(crc, 15) + 0xA282EAD8U;
}

std::string tfrecord(std::string_view bytes) {
    const std::string length = little_endian(static_cast<uint64_t>(bytes.size()));
    return length + little_endian(masked_crc32c(length)) + std::string(bytes) + little_endian(masked_crc32c(bytes));
}

struct TensorBoardWriter::Impl {
    AppendFile file;
};

TensorBoardWriter::TensorBoardWriter(const fs::path& folder, std::optional<int64_t> first_step) {
    ensure_folder(folder);
    const int64_t older = newest_time(folder);
    // Later than every older name even when the clock went back or stood still: TensorBoard reads by name.
    const int64_t time = std::max(static_cast<int64_t>(seconds_now()), older + 1);
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0') host = {"local"};
    const fs::path path = folder / (std::string(kPrefix) + std::to_string(time) + "." + host.data());
    impl_ = std::make_unique<Impl>(Impl{AppendFile(path)});
    impl_->file.write(tfrecord(event(0, bytes_field(3, "brain.Event:2"))));
    // SessionLog {status = 1: START = 1} makes readers forget what they hold at this step and later.
    if (older > 0 && first_step) impl_->file.write(tfrecord(event(*first_step, bytes_field(7, integer_field(1, 1)))));
    flush();
}

TensorBoardWriter::~TensorBoardWriter() = default;

void TensorBoardWriter::scalar(const std::string& tag, double value, int64_t step) {
    // Summary {value = 1}; Summary.Value {tag = 1, simple_value = 2}.
    const std::string scalar_value = bytes_field(1, tag) + float_field(2, static_cast<float>(value));
    impl_->file.write(tfrecord(event(step, bytes_field(5, bytes_field(1, scalar_value)))));
}

void TensorBoardWriter::flush() {
    impl_->file.flush();
}

}  // namespace craft
