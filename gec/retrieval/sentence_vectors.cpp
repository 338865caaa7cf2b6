#include "gec/retrieval/sentence_vectors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/error.h"

namespace craft {

static_assert(std::endian::native == std::endian::little, "scales are kept as they are in memory");

namespace {

// A plain loop of whole numbers, which the compiler makes vectors of (CMakeLists.txt compiles this file for that).
int32_t integer_product(const int8_t* a, const int8_t* b, size_t size) {
    int32_t sum = 0;
    for (size_t i = 0; i < size; ++i) sum += static_cast<int16_t>(a[i]) * static_cast<int16_t>(b[i]);
    return sum;
}

}  // namespace

std::string packed_vector(const std::vector<float>& vector) {
    float largest = 0;
    for (const float value : vector) {
        if (!std::isfinite(value)) throw Error("vector of a sentence", "finite numbers", "others", "the encoder is broken");
        largest = std::max(largest, std::abs(value));
    }
    const float scale = largest / 127;
    std::string bytes(sizeof(float) + vector.size(), '\0');
    std::memcpy(bytes.data(), &scale, sizeof(float));
    for (size_t i = 0; i < vector.size(); ++i)
        bytes[sizeof(float) + i] =
            static_cast<char>(scale > 0 ? static_cast<int8_t>(std::lround(vector[i] / scale)) : int8_t{0});
    return bytes;
}

bool VectorMatrix::add(int64_t id, std::string_view packed) {
    if (size_ == 0 || packed.size() != sizeof(float) + size_) return false;
    float scale = 0;
    std::memcpy(&scale, packed.data(), sizeof(float));
    if (!std::isfinite(scale) || scale < 0) return false;
    ids_.push_back(id);
    scales_.push_back(scale);
    const size_t begin = values_.size();
    values_.resize(begin + size_);
    std::memcpy(values_.data() + begin, packed.data() + sizeof(float), size_);
    return true;
}

std::vector<float> VectorMatrix::products(const std::vector<float>& vector) const {
    if (vector.size() != size_)
        throw Error("vector of a sentence", std::to_string(size_) + " values", std::to_string(vector.size()));
    const std::string packed = packed_vector(vector);
    float scale = 0;
    std::memcpy(&scale, packed.data(), sizeof(float));
    const auto* query = reinterpret_cast<const int8_t*>(packed.data() + sizeof(float));
    std::vector<float> products(ids_.size());
    for (size_t row = 0; row < ids_.size(); ++row)
        products[row] =
            scale * scales_[row] * static_cast<float>(integer_product(values_.data() + row * size_, query, size_));
    return products;
}

}  // namespace craft
