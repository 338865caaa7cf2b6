// Copies from memory to a device through two pinned buffers: while one travels, the other is filled. Inside model/ only.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

#include <array>
#include <cstdint>
#include <optional>

namespace craft {

class DeviceUpload {
public:
    static constexpr int64_t kBufferBytes = int64_t{128} << 20;

    // The buffers are taken with the first copy. On the CPU, for tests, they are plain memory.
    explicit DeviceUpload(const at::Device& device, int64_t buffer_bytes = kBufferBytes)
        : device_(device), buffer_bytes_(buffer_bytes) {}
    DeviceUpload(const DeviceUpload&) = delete;
    DeviceUpload& operator=(const DeviceUpload&) = delete;
    ~DeviceUpload();  // waits for what travels, and gives the buffers back to the system

    // `from` on the CPU, `to` of the same sizes on the device, in whose dtype the values travel. When this returns `from`
    // has been read, and what is computed in the device's current stream from now on sees `to` whole.
    void copy(const at::Tensor& from, const at::Tensor& to);

private:
    struct Buffer {
        at::Tensor bytes;
        std::optional<c10::Event> sent;
    };
    at::Tensor next_buffer();  // which has been sent

    at::Device device_;
    int64_t buffer_bytes_;
    std::array<Buffer, 2> buffers_;
    size_t next_ = 0;
};

}  // namespace craft
