#include "model/weights/quantized_files.h"

#include <torch/types.h>

#include "core/error.h"
#include "model/files/nf4_state.h"

namespace craft {

namespace {

const std::string kState(kNf4StateEnding);

int64_t blocks_of(int64_t count, int64_t block) {
    return (count + block - 1) / block;
}

// The codes' tensor holds bytes under any dtype (bnb_4bit_quant_storage).
int64_t stored_bytes(const WeightFiles& files, const std::string& name) {
    int64_t count = static_cast<int64_t>(c10::elementSize(files.dtype(name)));
    for (const int64_t size : files.shape(name)) count *= size;
    return count;
}

void expect_tensor(WeightFiles& files, const std::string& name, at::ScalarType dtype, int64_t count) {
    files.expect_stored(name);
    const std::vector<int64_t>& shape = files.shape(name);
    if (files.dtype(name) != dtype || shape != std::vector<int64_t>{count})
        throw Error(files.place_of(name), c10::str(c10::toString(dtype), " [", count, "]"),
                    c10::str(c10::toString(files.dtype(name)), " ", at::IntArrayRef(shape)),
                    "the folder was not written by bitsandbytes");
}

Nf4State read_state(const WeightFiles& files, const std::string& name) {
    const std::string key = name + kState;
    if (files.dtype(key) != at::kByte || files.shape(key).size() != 1)
        throw Error(files.place_of(key), "bytes of JSON", c10::toString(files.dtype(key)));
    const at::Tensor bytes = files.stored(key);
    return parse_nf4_state(
        {reinterpret_cast<const char*>(bytes.const_data_ptr<uint8_t>()), static_cast<size_t>(bytes.numel())},
        files.place_of(key));
}

}  // namespace

bool has_nf4(const WeightFiles& files, const std::string& name) {
    return files.has(name + kState);
}

void expect_nf4(WeightFiles& files, const std::string& name, int64_t rows, int64_t columns) {
    const Nf4State state = read_state(files, name);
    files.expect_stored(name + kState);
    if (state.shape != std::vector<int64_t>{rows, columns})
        throw Error(files.place_of(name + kState), c10::str("shape ", at::IntArrayRef({rows, columns})),
                    c10::str("shape ", at::IntArrayRef(state.shape)), "config.json has other sizes");
    files.expect_stored(name);
    const int64_t bytes = (rows * columns + 1) / 2, blocks = blocks_of(rows * columns, state.block);
    if (stored_bytes(files, name) != bytes)
        throw Error(files.place_of(name), std::to_string(bytes) + " bytes of 4-bit codes",
                    std::to_string(stored_bytes(files, name)));
    expect_tensor(files, name + ".absmax", state.is_nested ? at::kByte : at::kFloat, blocks);
    expect_tensor(files, name + ".quant_map", at::kFloat, 16);
    if (!state.is_nested) return;
    expect_tensor(files, name + ".nested_absmax", at::kFloat, blocks_of(blocks, state.nested_block));
    expect_tensor(files, name + ".nested_quant_map", at::kFloat, 256);
}

QuantizedWeight read_nf4(const WeightFiles& files, const std::string& name, const at::Device& device) {
    const Nf4State state = read_state(files, name);
    QuantizedWeight weight;
    weight.kind = Quantization::nf4;
    weight.rows = state.shape[0];
    weight.columns = state.shape[1];
    weight.block = state.block;
    weight.codes = files.stored(name).contiguous().view({-1}).view(at::kByte);
    weight.scales = files.stored(name + ".absmax");
    const at::Tensor map = files.stored(name + ".quant_map");
    if (!at::allclose(map, at::tensor(at::ArrayRef<float>(kNf4Values)), 0, 1e-6))
        throw Error(files.place_of(name + ".quant_map"), "the 16 values of NF4", "others");
    if (state.is_nested) {
        weight.nested_block = state.nested_block;
        weight.offset = state.offset;
        weight.nested_scales = files.stored(name + ".nested_absmax");
        weight.nested_map = files.stored(name + ".nested_quant_map");
    }
    for (const at::Tensor& floats :
         {weight.nested_scales, weight.nested_map, state.is_nested ? at::Tensor() : weight.scales})
        if (floats.defined() && !at::isfinite(floats).all().item<bool>())
            throw Error(files.place_of(name), "finite scales", "others", "the file is broken");
    return weight.to(device);
}

}  // namespace craft
