// What is between a chunk's bytes in an HDF5 file and its elements. HDF5's own code for it (1.10.8) inflates a chunk
// wherever that ends, and reads beyond one that ends too early; here exactly a chunk comes out. Inside data/ only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace craft {

struct ChunkFilters {
    bool shuffle = false;  // first bytes of all elements, then second ones ...: before deflate
    bool deflate = false;
};

// The most bytes that a chunk of `bytes` takes in a file.
size_t max_stored_bytes(size_t bytes);
// The elements' bytes, `bytes` of them, of elements of `element` bytes. `skipped`: bit i is set if the i-th of the filters
// was not applied, as HDF5 does where deflate gains nothing. Throws Error at `where` if other than this many bytes come out.
std::vector<uint8_t> unfiltered(std::vector<uint8_t> stored, const ChunkFilters& filters, uint32_t skipped, size_t element,
                                size_t bytes, const std::string& where);

}  // namespace craft
