// Vectors of sentences, in a byte a value, and the nearest ones by looking at all.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Who makes vectors of sentences. A name also says which files it is: vectors of two encoders do not compare.
struct SentenceEncoder {
    std::string name;  // "minilm xxh64:..."; empty: there is none
    // A vector a sentence, all of one length and of length 1 by their norm (a sentence without any token: zeros).
    std::function<std::vector<std::vector<float>>(const std::vector<std::string>&)> encode;
    explicit operator bool() const { return encode != nullptr; }
};

// A vector of length 1 in bytes: values times 127 by the largest one, after the scale that makes them what they were. A
// product of two is off by .01 at most, and by .001 as a rule.
std::string packed_vector(const std::vector<float>& vector);

class VectorMatrix {
public:
    explicit VectorMatrix(size_t size = 0) : size_(size) {}  // values of a vector
    // Whether these are the bytes of such a vector; others are not taken.
    bool add(int64_t id, std::string_view packed);
    size_t rows() const { return ids_.size(); }

    // The products of all rows with a vector of this size, in the order in which they were added. Throws Error on another
    // size.
    std::vector<float> products(const std::vector<float>& vector) const;
    int64_t id(size_t row) const { return ids_[row]; }

private:
    size_t size_;
    std::vector<int64_t> ids_;
    std::vector<float> scales_;
    std::vector<int8_t> values_;
};

}  // namespace craft
