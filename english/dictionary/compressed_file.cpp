#include "english/dictionary/compressed_file.h"

#include <zlib.h>

#include "core/error.h"
#include "core/files.h"
#include "english/dictionary/sources.h"

namespace craft {

namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;

class Inflater {
public:
    Inflater(std::string_view bytes, const std::string& where) : where_(where) {
        if (::inflateInit2(&stream_, kGzipOnly) != Z_OK) throw Error(where + ": no memory to decompress it");
        // The library's type is not const; it only reads.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
    }
    ~Inflater() { ::inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    std::string all(size_t most) {
        std::string out;
        char part[1 << 16];
        while (true) {
            stream_.next_out = reinterpret_cast<Bytef*>(part);
            stream_.avail_out = sizeof part;
            const int status = ::inflate(&stream_, Z_NO_FLUSH);
            if (status != Z_OK && status != Z_STREAM_END)
                throw Error(where_, "a file of gzip's", stream_.avail_in == 0 ? "one that is cut short" : "a damaged one",
                            kHowToGetEnglish);
            out.append(part, sizeof part - stream_.avail_out);
            if (out.size() > most) throw Error(where_, "at most " + std::to_string(most) + " bytes in it", "more");
            if (status != Z_STREAM_END) continue;
            if (stream_.avail_in == 0) return out;
            ::inflateReset(&stream_);  // another member follows
        }
    }

private:
    z_stream stream_{};
    const std::string& where_;
};

}  // namespace

std::string decompressed(std::string_view bytes, size_t most, const std::string& where) {
    if (bytes.size() > most) throw Error(where, "at most " + std::to_string(most) + " bytes", std::to_string(bytes.size()));
    if (!bytes.starts_with("\x1F\x8B")) return std::string(bytes);
    return Inflater(bytes, where).all(most);
}

std::string read_compressed_file(const std::filesystem::path& file, size_t most) {
    std::error_code none;
    if (!std::filesystem::is_regular_file(file, none))
        throw Error(file.string(), "a table of English", "no such file", kHowToGetEnglish);
    return decompressed(read_file(file), most, file.string());
}

}  // namespace craft
