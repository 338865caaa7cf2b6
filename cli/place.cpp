#include "cli/place.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include "core/error.h"

namespace craft {

Place open_place(const CommonOptions& options) {
    if (options.threads > 0) at::set_num_threads(static_cast<int>(options.threads));
    Place place;
    const bool cuda = at::hasCUDA();
    if (options.device != "auto") place.device = at::Device(options.device);
    if (options.device == "auto" && cuda) place.device = at::kCUDA;
    if (place.device.is_cuda() && !cuda)
        throw Error("--device", "cpu", options.device, "CUDA does not work here: no GPU, or a build without CRAFT_CUDA");
    if (options.dtype == "bfloat16" || (options.dtype == "auto" && place.device.is_cuda())) place.dtype = at::kBFloat16;
    return place;
}

}  // namespace craft
