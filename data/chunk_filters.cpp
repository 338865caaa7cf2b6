#include "data/chunk_filters.h"

#include <zlib.h>

#include "core/error.h"

namespace craft {

namespace {

std::vector<uint8_t> inflated(const std::vector<uint8_t>& stored, size_t bytes, const std::string& where) {
    std::vector<uint8_t> whole(bytes);
    uLongf size = whole.size();
    const int status = ::uncompress(whole.data(), &size, stored.data(), stored.size());
    if (status != Z_OK || size != whole.size())
        throw Error(where, "deflated chunks of " + std::to_string(bytes) + " bytes", "another one", "the file is damaged");
    return whole;
}

std::vector<uint8_t> unshuffled(const std::vector<uint8_t>& shuffled, size_t element) {
    std::vector<uint8_t> elements(shuffled.size());
    const size_t count = shuffled.size() / element;
    for (size_t byte = 0; byte < element; ++byte)
        for (size_t i = 0; i < count; ++i) elements[i * element + byte] = shuffled[byte * count + i];
    return elements;
}

}  // namespace

size_t max_stored_bytes(size_t bytes) {
    return bytes + bytes / 500 + 64;  // more than deflate's bound, beyond which HDF5 stores a chunk as it is
}

std::vector<uint8_t> unfiltered(std::vector<uint8_t> stored, const ChunkFilters& filters, uint32_t skipped, size_t element,
                                size_t bytes, const std::string& where) {
    const uint32_t deflate = filters.shuffle ? 2 : 1;  // its bit
    if (filters.deflate && (skipped & deflate) == 0) stored = inflated(stored, bytes, where);
    if (stored.size() != bytes)
        throw Error(where, "chunks of " + std::to_string(bytes) + " bytes", "one of " + std::to_string(stored.size()),
                    "the file is damaged");
    if (filters.shuffle && (skipped & 1U) == 0) stored = unshuffled(stored, element);
    return stored;
}

}  // namespace craft
