// TensorBoard's event files: TFRecord framing (length, masked CRC-32C) around the Event protobuf.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/files.h"

namespace craft {

// Scalars of one run. TensorBoard reads the files of a folder one after the other, in the order of their names, and never
// goes back: one writer at a time for a folder; concurrent series belong into sub-folders.
class TensorBoardWriter {
public:
    // Starts a new file in `folder`. `first_step`: what older files there hold at this step and later is hidden (the run was
    // resumed and does these steps again). Throws Error when the file cannot be written.
    explicit TensorBoardWriter(const std::filesystem::path& folder, std::optional<int64_t> first_step = std::nullopt);
    ~TensorBoardWriter();
    void scalar(const std::string& tag, double value, int64_t step);
    void flush();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// CRC-32C (Castagnoli), and its masked form that TFRecord stores.
uint32_t crc32c(std::string_view bytes);
uint32_t masked_crc32c(std::string_view bytes);
// One TFRecord: u64 length, u32 masked CRC of it, the bytes, u32 masked CRC of them; little-endian.
std::string tfrecord(std::string_view bytes);

}  // namespace craft
