// One-dimensional columns in HDF5 files, over HDF5's C interface. Inside data/ only: everything else uses data/store.h.
// HDF5 is used by one thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "data/chunk_filters.h"

namespace craft {

// Owns an HDF5 identifier (hid_t) of any kind.
class Hdf5Handle {
public:
    Hdf5Handle() = default;
    explicit Hdf5Handle(int64_t id) : id_(id) {}
    ~Hdf5Handle();
    Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)) {}
    Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
        std::swap(id_, other.id_);
        return *this;
    }
    int64_t get() const { return id_; }

private:
    int64_t id_ = -1;
};

// A file built in memory. Its bytes are then written like those of any other file, so that a full disk is an error like any
// other; HDF5 itself does not recover from one. The same columns give the same bytes: no times are recorded.
class Hdf5Image {
public:
    explicit Hdf5Image(std::string name);  // `name` is for messages
    void set_attribute(const std::string& attribute, int64_t value);
    void set_attribute(const std::string& attribute, const std::string& value);
    // T: uint8_t, uint64_t, int64_t or double. `path` may name groups, "steps/response/bytes". Chunked, deflated.
    template <class T>
    void add_column(const std::string& path, std::span<const T> values, unsigned compression);
    std::string bytes();

private:
    std::string name_;
    Hdf5Handle file_;
};

// A column that is read chunk by chunk: memory stays that of a few chunks, or of one request where that is larger.
template <class T>
class Hdf5Column {
public:
    struct Layout {
        uint64_t size = 0, chunk = 0;  // elements of the column and of a chunk
        ChunkFilters filters;
    };
    Hdf5Column() = default;
    Hdf5Column(Hdf5Handle dataset, std::string name, const Layout& layout);
    uint64_t size() const { return layout_.size; }
    const std::string& name() const { return name_; }  // "FILE: dataset 'PATH'"
    // Valid until the next read. Throws Error beyond the end and where the file is damaged.
    std::span<const T> read(uint64_t begin, uint64_t count);

private:
    void append_chunk(uint64_t at);
    Hdf5Handle dataset_;
    std::string name_;
    Layout layout_;
    uint64_t begin_ = 0;     // of the window: the first element of a chunk
    std::vector<T> window_;  // the whole chunks of the last request
};

class Hdf5File {
public:
    // Throws Error naming the file if it is not an HDF5 file that can be read.
    explicit Hdf5File(const std::filesystem::path& path);
    // Throw Error if there is no such attribute or column, or one of another kind. Only columns as Hdf5Image makes them are
    // read, in chunks of at most 4 MiB, and no links to elsewhere followed: a file cannot make the program read another
    // file, nor ask for any amount of memory.
    int64_t integer_attribute(const std::string& attribute) const;
    std::string string_attribute(const std::string& attribute) const;
    template <class T>
    Hdf5Column<T> column(const std::string& path) const;

private:
    std::string name_;
    Hdf5Handle file_;
};

}  // namespace craft
