#include "model/weights/gguf_tensors.h"

#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"

namespace craft {

namespace {

constexpr int64_t kValuesAtOnce = int64_t{1} << 22;

int64_t product_of(const std::vector<int64_t>& shape) {
    int64_t product = 1;
    for (const int64_t size : shape) product *= size;
    return product;
}

// Of the interleaved rows of a head of `size` the one that transformers has at `row`: the first halves of all pairs stand
// there before the second ones.
int64_t interleaved_row(int64_t row, int64_t size) {
    const int64_t head = row / size, within = row % size, half = size / 2;
    return head * size + within % half * 2 + within / half;
}

}  // namespace

GgufTensors::GgufTensors(const std::filesystem::path& path) : file_(path) {
    for (GgufWeight& weight : gguf_weights(file_)) {
        const std::string name = weight.name;
        if (!weights_.emplace(name, std::move(weight)).second)
            throw Error(file_.path(), "each tensor once", "two that are " + name);
    }
}

const GgufWeight& GgufTensors::weight(const std::string& name) const {
    const auto found = weights_.find(name);
    if (found == weights_.end()) throw Error(file_.path(), "a tensor '" + name + "'", "none that is it");
    return found->second;
}

std::vector<std::string> GgufTensors::names() const {
    std::vector<std::string> all;
    for (const auto& [name, weight] : weights_) all.push_back(name);
    return all;
}

at::ScalarType GgufTensors::dtype(const std::string& name) const {
    switch (tensor(name).type) {
        case GgufType::f16:
            return at::kHalf;
        case GgufType::bf16:
            return at::kBFloat16;
        default:
            return at::kFloat;
    }
}

std::string GgufTensors::stored_as(const std::string& name) const {
    return std::string(info_of(tensor(name).type).name);
}

uint64_t GgufTensors::bytes(const std::string& name) const {
    return tensor(name).end - tensor(name).begin;
}

// Rows in the order that transformers has; of a transposed tensor the file's own.
at::Tensor GgufTensors::rows_of(const std::string& name, int64_t first, int64_t count) const {
    const GgufWeight& weight = this->weight(name);
    const GgufTensor& stored = tensor(name);
    const std::string_view all = file_.bytes(stored);
    const auto row_bytes = static_cast<int64_t>(all.size()) / stored.shape[0];
    const int64_t columns = product_of(stored.shape) / stored.shape[0];
    std::vector<int64_t> shape = stored.shape;
    shape[0] = count;
    const at::Tensor rows = at::empty(shape, dtype(name));
    const int64_t size = weight.layout == GgufLayout::interleaved ? stored.shape[0] / weight.heads : 0;
    const bool is_plain = dtype(name) != at::kFloat || stored.type == GgufType::f32;
    char* const to = static_cast<char*>(rows.data_ptr());
    at::parallel_for(0, count, std::max<int64_t>(1, 16384 / std::max<int64_t>(columns, 1)), [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row) {
            const int64_t from = size == 0 ? first + row : interleaved_row(first + row, size);
            const std::string_view bytes = all.substr(static_cast<size_t>(from * row_bytes), static_cast<size_t>(row_bytes));
            if (is_plain)
                std::memcpy(to + row * row_bytes, bytes.data(), bytes.size());
            else
                dequantise(stored.type, bytes, reinterpret_cast<float*>(to) + row * columns);
        }
    });
    return weight.layout == GgufLayout::plus_one ? rows - 1 : rows;
}

at::Tensor GgufTensors::view(const std::string& name) const {
    const at::Tensor rows = rows_of(name, 0, tensor(name).shape[0]);
    return weight(name).layout == GgufLayout::transposed ? rows.t() : rows;
}

void GgufTensors::for_each_part(const std::string& name,
                                const std::function<void(const at::Tensor& rows, int64_t first)>& f) const {
    if (weight(name).layout == GgufLayout::transposed) return f(view(name), 0);
    const int64_t rows = shape(name)[0], columns = product_of(shape(name)) / rows;
    const int64_t step = std::max<int64_t>(1, kValuesAtOnce / columns);
    for (int64_t first = 0; first < rows; first += step) f(rows_of(name, first, std::min(step, rows - first)), first);
}

bool GgufTensors::has_blocks(const std::string& name) const {
    const GgufLayout layout = weight(name).layout;
    return tensor(name).shape.size() == 2 && info_of(tensor(name).type).values > 1 &&
           (layout == GgufLayout::same || layout == GgufLayout::interleaved);
}

QuantizedWeight GgufTensors::blocks(const std::string& name) const {
    if (!has_blocks(name)) return TensorFile::blocks(name);
    const GgufWeight& weight = this->weight(name);
    const GgufTensor& stored = tensor(name);
    const std::string_view all = file_.bytes(stored);
    QuantizedWeight kept;
    kept.kind = Quantization::blocks;
    kept.type = stored.type;
    kept.rows = stored.shape[0];
    kept.columns = stored.shape[1];
    const auto row_bytes = all.size() / static_cast<size_t>(kept.rows);
    kept.codes = at::empty({kept.rows, static_cast<int64_t>(row_bytes)}, at::kByte);
    auto* const to = kept.codes.mutable_data_ptr<uint8_t>();
    const int64_t size = weight.layout == GgufLayout::interleaved ? kept.rows / weight.heads : 0;
    for (int64_t row = 0; row < kept.rows; ++row) {
        const auto from = static_cast<size_t>(size == 0 ? row : interleaved_row(row, size));
        std::memcpy(to + static_cast<size_t>(row) * row_bytes, all.data() + from * row_bytes, row_bytes);
    }
    return kept;
}

// Values are made for the reader: there are no pages of them.
bool GgufTensors::are_neighbours(const std::vector<std::string>&) const {
    return false;
}

at::Tensor GgufTensors::mapped(const std::vector<std::string>& names) const {
    throw Error(file_.path() + ": tensor '" + names.front() + "'", "values that lie in the file", "blocks");
}

void GgufTensors::will_need(const std::string& name) const {
    file_.file(tensor(name)).will_need(tensor(name).begin, tensor(name).end);
}

void GgufTensors::release(const std::string& name) const {
    file_.file(tensor(name)).release(tensor(name).begin, tensor(name).end);
}

}  // namespace craft
