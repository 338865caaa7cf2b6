#include "core/tensorboard.h"

#include <bit>
#include <cstring>
#include <set>

#include "core/files.h"
#include "temporary_folder.h"

namespace craft {
namespace {

TEST(TensorBoard, Crc32cOfTheKnownVectors) {
    EXPECT_EQ(crc32c(""), 0u);
    EXPECT_EQ(crc32c("123456789"), 0xE3069283u);            // the check value of CRC-32C
    EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);  // RFC 3720, B.4
    EXPECT_EQ(crc32c(std::string(32, '\xFF')), 0x62A8AB43u);
}

TEST(TensorBoard, MaskedCrcIsRotatedBy15AndShifted) {
    // crc = 0xE3069283: (crc >> 15 | crc << 17) = 0x2507C60D; + 0xA282EAD8 = 0xC78AB0E5.
    EXPECT_EQ(masked_crc32c("123456789"), 0xC78AB0E5u);
}

TEST(TensorBoard, RecordIsLengthCrcBytesCrc) {
    const std::string record = tfrecord("123456789");
    ASSERT_EQ(record.size(), 8u + 4 + 9 + 4);
    EXPECT_EQ(record.substr(0, 8), std::string("\x09\0\0\0\0\0\0\0", 8));
    EXPECT_EQ(record.substr(12, 9), "123456789");
    EXPECT_EQ(record.substr(21), std::string("\xE5\xB0\x8A\xC7", 4));
}

// The events of a file, the payload of each record; fails on a wrong length or checksum.
std::vector<std::string> events(const std::filesystem::path& file) {
    const std::string bytes = read_file(file);
    std::vector<std::string> payloads;
    for (size_t at = 0; at < bytes.size();) {
        uint64_t length = 0;
        std::memcpy(&length, bytes.data() + at, 8);
        const std::string payload = bytes.substr(at + 12, length);
        EXPECT_EQ(tfrecord(payload), bytes.substr(at, length + 16));
        payloads.push_back(payload);
        at += length + 16;
    }
    return payloads;
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
    std::set<std::filesystem::path> sorted;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) sorted.insert(entry.path());
    return {sorted.begin(), sorted.end()};
}

TEST(TensorBoard, EventsAreThoseOfTheProtobuf) {
    const TemporaryFolder folder;
    {
        TensorBoardWriter writer(folder.path());
        writer.scalar("a/b", 0.5, 300);
    }
    const auto written = events(files_in(folder.path()).at(0));
    ASSERT_EQ(written.size(), 2u);
    // wall_time = field 1, fixed64; then file_version = field 3, 13 bytes.
    EXPECT_EQ(written[0][0], '\x09');
    EXPECT_EQ(written[0].substr(9),
              "\x1A\x0D"
              "brain.Event:2");
    // step = field 2, varint 300 = AC 02; summary = field 5, 12 bytes: value = field 1, 10 bytes: tag = field 1, "a/b";
    // simple_value = field 2, float 0.5 = 0x3F000000.
    EXPECT_EQ(written[1].substr(9), std::string("\x10\xAC\x02\x2A\x0C\x0A\x0A\x0A\x03"
                                                "a/b"
                                                "\x15\x00\x00\x00\x3F",
                                                17));
}

TEST(TensorBoard, ResumedFilesComeLaterAndHideWhatIsDoneAgain) {
    const TemporaryFolder folder;
    for (int i = 0; i < 3; ++i) TensorBoardWriter(folder.path(), 7).scalar("x", 1, 7);
    const auto files = files_in(folder.path());
    ASSERT_EQ(files.size(), 3u) << "a new file each time, even within one second";
    EXPECT_EQ(events(files[0]).size(), 2u) << "nothing to hide for the first";
    const auto later = events(files[2]);
    ASSERT_EQ(later.size(), 3u);
    // step 7; session_log = field 7, 2 bytes: status = field 1: START = 1.
    EXPECT_EQ(later[1].substr(9), std::string("\x10\x07\x3A\x02\x08\x01"));
}

}  // namespace
}  // namespace craft
