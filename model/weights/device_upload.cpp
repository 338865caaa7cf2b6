#include "model/weights/device_upload.h"

#include <ATen/core/CachingHostAllocator.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/types.h>

#include <algorithm>
#include <vector>

namespace craft {

DeviceUpload::~DeviceUpload() {
    if (device_.is_cpu() || !buffers_[0].bytes.defined()) return;
    try {
        for (Buffer& buffer : buffers_) {
            if (buffer.sent) buffer.sent->synchronize();
            buffer.bytes = at::Tensor();
        }
        at::getHostAllocator(device_.type())->empty_cache();
    } catch (const std::exception&) {}  // an error of the device comes again with whatever is asked of it next
}

at::Tensor DeviceUpload::next_buffer() {
    Buffer& buffer = buffers_[next_];
    if (buffer.sent) buffer.sent->synchronize();
    if (!buffer.bytes.defined())
        buffer.bytes = at::empty({buffer_bytes_}, at::TensorOptions(at::kByte).pinned_memory(!device_.is_cpu()));
    return buffer.bytes;
}

void DeviceUpload::copy(const at::Tensor& from, const at::Tensor& to) {
    TORCH_CHECK(from.is_cpu() && to.device() == device_ && from.sizes() == to.sizes(), "upload of ", from.sizes(), " on ",
                from.device(), " to ", to.sizes(), " on ", to.device());
    if (to.numel() == 0) return;
    const int64_t rows = to.dim() == 0 ? 1 : to.size(0);
    const int64_t row_bytes = to.numel() / rows * static_cast<int64_t>(to.element_size()), most = buffer_bytes_ / row_bytes;
    if (to.dim() == 0 || most == 0) {  // a row that no buffer holds
        to.copy_(from);
        return;
    }
    const c10::impl::VirtualGuardImpl guard(device_.type());
    for (int64_t first = 0; first < rows; first += most) {
        const int64_t count = std::min(most, rows - first);
        std::vector<int64_t> sizes = to.sizes().vec();
        sizes[0] = count;
        const at::Tensor staged = next_buffer().narrow(0, 0, count * row_bytes).view(to.scalar_type()).view(sizes);
        staged.copy_(from.narrow(0, first, count));  // by all threads, converted
        to.narrow(0, first, count).copy_(staged, /*non_blocking=*/true);
        if (!device_.is_cpu()) {
            std::optional<c10::Event>& sent = buffers_[next_].sent;
            if (!sent) sent.emplace(device_.type());
            sent->record(guard.getStream(device_));
        }
        next_ = 1 - next_;
    }
}

}  // namespace craft
