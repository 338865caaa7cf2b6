// Columns of texts in HDF5 files: a group with bytes: uint8 [total] (UTF-8, end to end) and offsets: uint64 [count + 1].
// Inside data/ only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "data/hdf5_file.h"

namespace craft {

// Texts on their way into a file.
class TextColumnBuilder {
public:
    void add(std::string_view text);
    // As PATH/bytes and PATH/offsets; `compression` is deflate's, 0 to 9.
    void write(Hdf5Image& image, const std::string& path, unsigned compression) const;

private:
    std::vector<uint8_t> bytes_;
    std::vector<uint64_t> offsets_{0};
};

// How many bytes the texts of one record may still have: a file of a few bytes can claim texts of any length that HDF5 then
// fills in.
struct TextBudget {
    std::string of;     // "trajectories": the records, for messages
    uint64_t most = 0;  // of one record
    uint64_t left = most;
};

// Throws Error if the column has other than `expected` elements.
template <class T>
Hdf5Column<T> open_column(const Hdf5File& file, const std::string& path, uint64_t expected) {
    Hdf5Column<T> column = file.column<T>(path);
    if (column.size() != expected)
        throw Error(column.name(), std::to_string(expected) + " elements", std::to_string(column.size()));
    return column;
}

// Read in order it is fast, and memory does not grow with the file.
class TextColumn {
public:
    TextColumn() = default;
    // Throws Error naming the dataset if it has other than `count` texts.
    TextColumn(const Hdf5File& file, const std::string& path, uint64_t count);
    // Throws Error where offsets do not ascend or lie after the bytes, or the text is over the budget, before memory is
    // taken for it.
    std::string read(uint64_t index, TextBudget& budget);

private:
    Hdf5Column<uint8_t> bytes_;
    Hdf5Column<uint64_t> offsets_;
};

}  // namespace craft
