#include "data/hdf5_file.h"

#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <type_traits>

#include "core/error.h"

namespace craft {

static_assert(std::is_same_v<hid_t, int64_t>, "Hdf5Handle holds HDF5's identifiers");
static_assert(std::endian::native == std::endian::little, "elements are read as they lie in the file");

namespace {

constexpr hsize_t kChunk = hsize_t{1} << 16;         // elements of the chunks that we write
constexpr hsize_t kLargestChunk = hsize_t{4} << 20;  // bytes, of files that we read
constexpr size_t kLongestString = 4096;              // bytes of an attribute

// HDF5 prints its errors unless told not to, once a thread. It is also told to load no filters from elsewhere.
void silence() {
    thread_local bool silent = false;
    if (silent) return;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0);
    silent = true;
}

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* kept) {
    auto& text = *static_cast<std::string*>(kept);
    if (text.empty() && error->desc != nullptr) text = error->desc;
    return 0;
}

[[noreturn]] void fail(const std::string& where, const std::string& doing) {
    std::string reason;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, &reason);
    H5Eclear2(H5E_DEFAULT);
    std::replace(reason.begin(), reason.end(), '\n', ' ');
    throw Error(where + ": cannot " + doing + ": " + (reason.empty() ? "HDF5 gives no reason" : "HDF5: " + reason));
}

Hdf5Handle owned(hid_t id, const std::string& where, const std::string& doing) {
    if (id < 0) fail(where, doing);
    return Hdf5Handle(id);
}

void check(herr_t status, const std::string& where, const std::string& doing) {
    if (status < 0) fail(where, doing);
}

template <class T>
hid_t memory_type() {
    if constexpr (std::is_same_v<T, uint8_t>) return H5T_NATIVE_UINT8;
    if constexpr (std::is_same_v<T, uint64_t>) return H5T_NATIVE_UINT64;
    if constexpr (std::is_same_v<T, int64_t>) return H5T_NATIVE_INT64;
    if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
}

template <class T>
hid_t stored_type() {
    if constexpr (std::is_same_v<T, uint8_t>) return H5T_STD_U8LE;
    if constexpr (std::is_same_v<T, uint64_t>) return H5T_STD_U64LE;
    if constexpr (std::is_same_v<T, int64_t>) return H5T_STD_I64LE;
    if constexpr (std::is_same_v<T, double>) return H5T_IEEE_F64LE;
}

Hdf5Handle column_properties(hsize_t chunk, size_t element, unsigned compression, const std::string& where) {
    Hdf5Handle properties = owned(H5Pcreate(H5P_DATASET_CREATE), where, "create the dataset");
    herr_t status = std::min(H5Pset_chunk(properties.get(), 1, &chunk), H5Pset_obj_track_times(properties.get(), false));
    if (element > 1) status = std::min(status, H5Pset_shuffle(properties.get()));
    status = std::min(status, H5Pset_deflate(properties.get(), compression));
    check(status, where, "create the dataset");
    return properties;
}

ChunkFilters filters_of(hid_t properties, const std::string& where) {
    ChunkFilters filters;
    for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
        unsigned flags = 0;
        size_t values = 0;
        const H5Z_filter_t filter =
            H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, nullptr);
        if (filter == H5Z_FILTER_SHUFFLE && i == 0)
            filters.shuffle = true;
        else if (filter == H5Z_FILTER_DEFLATE && !filters.deflate)
            filters.deflate = true;
        else
            throw Error(where, "shuffled and deflated chunks, or plain ones", "other filters");
    }
    return filters;
}

// Of a column whose shape, layout and type are those that Hdf5Image gives it. The types are the very same: HDF5 would
// convert others, damaged ones too.
template <class T>
typename Hdf5Column<T>::Layout checked_layout(hid_t dataset, const std::string& where) {
    typename Hdf5Column<T>::Layout layout;
    const Hdf5Handle space = owned(H5Dget_space(dataset), where, "read its shape");
    hsize_t size = 0, chunk = 0;
    if (H5Sget_simple_extent_ndims(space.get()) != 1 || H5Sget_simple_extent_dims(space.get(), &size, nullptr) != 1)
        throw Error(where, "one dimension", "another shape");
    const Hdf5Handle type = owned(H5Dget_type(dataset), where, "read its type");
    if (H5Tequal(type.get(), stored_type<T>()) <= 0)
        throw Error(where,
                    std::string(std::is_floating_point_v<T> ? "floating-point numbers" : "integers") + " of " +
                        std::to_string(8 * sizeof(T)) + " bits",
                    "another type");
    const Hdf5Handle properties = owned(H5Dget_create_plist(dataset), where, "read its layout");
    if (H5Pget_layout(properties.get()) != H5D_CHUNKED) throw Error(where, "a chunked dataset", "another layout");
    if (H5Pget_chunk(properties.get(), 1, &chunk) < 0) fail(where, "read its layout");
    if (chunk == 0 || chunk > kLargestChunk / sizeof(T)) throw Error(where, "chunks of at most 4 MiB", "others");
    layout.size = size;
    layout.chunk = chunk;
    layout.filters = filters_of(properties.get(), where);
    return layout;
}

// A name may stand for a place in another file or at another path: only what lies in this file, under that name, is read.
void check_links(hid_t file, const std::string& path, const std::string& where) {
    for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
        H5L_info_t info;
        check(H5Lget_info(file, path.substr(0, end).c_str(), &info, H5P_DEFAULT), where, "read");
        if (info.type != H5L_TYPE_HARD)
            throw Error(where, "a dataset of the file itself", "a link to '" + path.substr(0, end) + "' elsewhere",
                        "external and soft links are not followed");
        if (end == std::string::npos) return;
    }
}

uint64_t little_endian(const std::string& bytes, size_t at) {
    uint64_t value = 0;
    for (size_t i = 8; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

// HDF5 takes memory for what the superblock speaks of before it compares that with the file. After it every size is held
// against the end of the file that stands here (HDF5 File Format Specification, II.A).
void check_superblock(const std::filesystem::path& path) {
    constexpr uint64_t kUndefined = ~uint64_t{0};
    const std::string where = path.string();
    std::string start(96, '\0');
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(where + ": cannot read: " + std::strerror(errno));
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<size_t>(file.gcount()));
    if (start.size() < 60 || start.substr(0, 8) != "\x89HDF\r\n\x1a\n")
        throw Error(where, "an HDF5 file", "another kind of file, or its beginning is damaged");
    const bool is_old = start[8] == 0 || start[8] == 1;  // the others are 2 and 3
    const size_t sizes = is_old ? 13 : 9, addresses = start[8] == 0 ? 24 : start[8] == 1 ? 28 : 12;
    // Four addresses: the base, one of no interest here, the end of the file; then, in old versions, the driver's block.
    const bool fits = static_cast<unsigned char>(start[8]) <= 3 && start[sizes] == 8 && start[sizes + 1] == 8 &&
                      start.size() >= addresses + 32 && little_endian(start, addresses) == 0 &&
                      little_endian(start, addresses + 16) <= std::filesystem::file_size(path) &&
                      (!is_old || little_endian(start, addresses + 24) == kUndefined);
    if (!fits)
        throw Error(where, "an HDF5 file with addresses of 8 bytes within the file", "another one",
                    "it is damaged, or was cut");
}

}  // namespace

Hdf5Handle::~Hdf5Handle() {
    if (id_ >= 0) H5Idec_ref(id_);  // closes what the last handle goes of, of any kind
}

Hdf5Image::Hdf5Image(std::string name) : name_(std::move(name)) {
    silence();
    const Hdf5Handle access = owned(H5Pcreate(H5P_FILE_ACCESS), name_, "create");
    check(H5Pset_fapl_core(access.get(), size_t{1} << 20, false), name_, "create");
    file_ = owned(H5Fcreate(name_.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), name_, "create");
}

void Hdf5Image::set_attribute(const std::string& attribute, int64_t value) {
    const std::string where = name_ + ": attribute '" + attribute + "'";
    const Hdf5Handle space = owned(H5Screate(H5S_SCALAR), where, "create");
    const Hdf5Handle made = owned(
        H5Acreate2(file_.get(), attribute.c_str(), H5T_STD_I64LE, space.get(), H5P_DEFAULT, H5P_DEFAULT), where, "create");
    check(H5Awrite(made.get(), H5T_NATIVE_INT64, &value), where, "write");
}

void Hdf5Image::set_attribute(const std::string& attribute, const std::string& value) {
    const std::string where = name_ + ": attribute '" + attribute + "'";
    const Hdf5Handle space = owned(H5Screate(H5S_SCALAR), where, "create");
    const Hdf5Handle type = owned(H5Tcopy(H5T_C_S1), where, "create");
    check(H5Tset_size(type.get(), value.size() + 1), where, "create");
    const Hdf5Handle made = owned(
        H5Acreate2(file_.get(), attribute.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), where, "create");
    check(H5Awrite(made.get(), type.get(), value.c_str()), where, "write");
}

template <class T>
void Hdf5Image::add_column(const std::string& path, std::span<const T> values, unsigned compression) {
    const std::string where = name_ + ": dataset '" + path + "'";
    const hsize_t size = values.size(), unlimited = H5S_UNLIMITED;
    const Hdf5Handle space = owned(H5Screate_simple(1, &size, &unlimited), where, "create the dataset");
    const Hdf5Handle links = owned(H5Pcreate(H5P_LINK_CREATE), where, "create the dataset");
    check(H5Pset_create_intermediate_group(links.get(), 1), where, "create the dataset");
    const hsize_t chunk = std::clamp<hsize_t>(size, 1, kChunk);
    const Hdf5Handle properties = column_properties(chunk, sizeof(T), compression, where);
    const Hdf5Handle dataset = owned(
        H5Dcreate2(file_.get(), path.c_str(), stored_type<T>(), space.get(), links.get(), properties.get(), H5P_DEFAULT),
        where, "create the dataset");
    if (size > 0)
        check(H5Dwrite(dataset.get(), memory_type<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), where, "write");
}

std::string Hdf5Image::bytes() {
    check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), name_, "write");
    const ssize_t size = H5Fget_file_image(file_.get(), nullptr, 0);
    if (size < 0) fail(name_, "write");
    std::string image(static_cast<size_t>(size), '\0');
    if (H5Fget_file_image(file_.get(), image.data(), image.size()) != size) fail(name_, "write");
    return image;
}

template <class T>
Hdf5Column<T>::Hdf5Column(Hdf5Handle dataset, std::string name, const Layout& layout)
    : dataset_(std::move(dataset)), name_(std::move(name)), layout_(layout) {}

// A chunk is whole also where the column ends in it.
template <class T>
void Hdf5Column<T>::append_chunk(uint64_t at) {
    const hsize_t offset = at;
    const size_t bytes = layout_.chunk * sizeof(T);
    hsize_t size = 0;
    check(H5Dget_chunk_storage_size(dataset_.get(), &offset, &size), name_, "read");
    if (size == 0 || size > max_stored_bytes(bytes))
        throw Error(name_, "chunks that take up to " + std::to_string(max_stored_bytes(bytes)) + " bytes in the file",
                    std::to_string(size), "the file is damaged");
    std::vector<uint8_t> stored(size);
    uint32_t skipped = 0;
    check(H5Dread_chunk(dataset_.get(), H5P_DEFAULT, &offset, &skipped, stored.data()), name_, "read");
    const std::vector<uint8_t> elements = unfiltered(std::move(stored), layout_.filters, skipped, sizeof(T), bytes, name_);
    const size_t before = window_.size();
    window_.resize(before + layout_.chunk);
    std::memcpy(window_.data() + before, elements.data(), bytes);
}

template <class T>
std::span<const T> Hdf5Column<T>::read(uint64_t begin, uint64_t count) {
    if (begin > size() || count > size() - begin)
        throw Error(name_, "at least " + std::to_string(begin) + "+" + std::to_string(count) + " elements",
                    std::to_string(size()));
    if (count == 0) return {};
    if (begin < begin_ || begin + count > begin_ + window_.size()) {
        window_.clear();
        begin_ = begin / layout_.chunk * layout_.chunk;
        const uint64_t chunks = (begin + count - begin_ + layout_.chunk - 1) / layout_.chunk;
        if (chunks * layout_.chunk < window_.capacity() / 4) window_.shrink_to_fit();  // an unusually large request is over
        window_.reserve(chunks * layout_.chunk);
        for (uint64_t i = 0; i < chunks; ++i) append_chunk(begin_ + i * layout_.chunk);
    }
    return std::span<const T>(window_).subspan(begin - begin_, count);
}

Hdf5File::Hdf5File(const std::filesystem::path& path) : name_(path.string()) {
    silence();
    check_superblock(path);
    const Hdf5Handle access = owned(H5Pcreate(H5P_FILE_ACCESS), name_, "read");
    // Segments never change once they are there; some file systems know no locks.
    check(H5Pset_file_locking(access.get(), false, true), name_, "read");
    file_ = owned(H5Fopen(name_.c_str(), H5F_ACC_RDONLY, access.get()), name_, "read");
}

int64_t Hdf5File::integer_attribute(const std::string& attribute) const {
    const std::string where = name_ + ": attribute '" + attribute + "'";
    const Hdf5Handle found = owned(H5Aopen(file_.get(), attribute.c_str(), H5P_DEFAULT), where, "read");
    const Hdf5Handle type = owned(H5Aget_type(found.get()), where, "read");
    const Hdf5Handle space = owned(H5Aget_space(found.get()), where, "read");
    if (H5Tequal(type.get(), H5T_STD_I64LE) <= 0 || H5Sget_simple_extent_type(space.get()) != H5S_SCALAR)
        throw Error(where, "an integer of 64 bits", "another type");
    int64_t value = 0;
    check(H5Aread(found.get(), H5T_NATIVE_INT64, &value), where, "read");
    return value;
}

std::string Hdf5File::string_attribute(const std::string& attribute) const {
    const std::string where = name_ + ": attribute '" + attribute + "'";
    const Hdf5Handle found = owned(H5Aopen(file_.get(), attribute.c_str(), H5P_DEFAULT), where, "read");
    const Hdf5Handle type = owned(H5Aget_type(found.get()), where, "read");
    const Hdf5Handle space = owned(H5Aget_space(found.get()), where, "read");
    const size_t size = H5Tget_size(type.get());
    if (H5Tget_class(type.get()) != H5T_STRING || H5Tis_variable_str(type.get()) != 0 ||
        H5Sget_simple_extent_type(space.get()) != H5S_SCALAR || size > kLongestString)
        throw Error(where, "a short string of fixed length", "another type");
    std::string value(size, '\0');
    check(H5Aread(found.get(), type.get(), value.data()), where, "read");
    return value.substr(0, value.find('\0'));
}

template <class T>
Hdf5Column<T> Hdf5File::column(const std::string& path) const {
    const std::string where = name_ + ": dataset '" + path + "'";
    check_links(file_.get(), path, where);
    Hdf5Handle dataset = owned(H5Dopen2(file_.get(), path.c_str(), H5P_DEFAULT), where, "read");
    const auto layout = checked_layout<T>(dataset.get(), where);
    return Hdf5Column<T>(std::move(dataset), where, layout);
}

template class Hdf5Column<uint8_t>;
template class Hdf5Column<uint64_t>;
template class Hdf5Column<int64_t>;
template class Hdf5Column<double>;
template void Hdf5Image::add_column(const std::string&, std::span<const uint8_t>, unsigned);
template void Hdf5Image::add_column(const std::string&, std::span<const uint64_t>, unsigned);
template void Hdf5Image::add_column(const std::string&, std::span<const int64_t>, unsigned);
template void Hdf5Image::add_column(const std::string&, std::span<const double>, unsigned);
template Hdf5Column<uint8_t> Hdf5File::column(const std::string&) const;
template Hdf5Column<uint64_t> Hdf5File::column(const std::string&) const;
template Hdf5Column<int64_t> Hdf5File::column(const std::string&) const;
template Hdf5Column<double> Hdf5File::column(const std::string&) const;

}  // namespace craft
