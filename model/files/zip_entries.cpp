#include "model/files/zip_entries.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr uint64_t kEndBytes = 22, kLocatorBytes = 20, kEnd64Bytes = 56, kCentralBytes = 46, kLocalBytes = 30;
constexpr uint64_t kNo16 = 0xffff, kNo32 = 0xffffffff;  // in ZIP64: the number stands elsewhere

// Little-endian numbers at places that have been checked to lie inside.
class ZipBytes {
public:
    ZipBytes(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}
    uint64_t size() const { return bytes_.size(); }
    [[noreturn]] void fail(const std::string& expected, const std::string& got) const {
        throw Error(file_, expected, got, "the download is not complete, or it is no file of torch.save()");
    }
    void need(uint64_t at, uint64_t count, const std::string& what) const {
        if (at > size() || count > size() - at) fail(what + " inside the file", "one beyond its end");
    }
    uint64_t number(uint64_t at, int count) const {
        uint64_t value = 0;
        for (int i = 0; i < count; ++i)
            value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes_[at + static_cast<uint64_t>(i)])) << (8 * i);
        return value;
    }
    std::string_view text(uint64_t at, uint64_t count) const { return bytes_.substr(at, count); }
    bool is(uint64_t at, std::string_view signature) const { return text(at, signature.size()) == signature; }

private:
    std::string_view bytes_;
    std::string file_;
};

struct Directory {
    uint64_t entries = 0, begin = 0, size = 0;
};

// The last record, behind which a comment of up to 65,535 bytes may stand.
uint64_t end_record(const ZipBytes& zip) {
    if (zip.size() >= kEndBytes) {
        const uint64_t last = zip.size() - kEndBytes, first = last > kNo16 ? last - kNo16 : 0;
        for (uint64_t at = last + 1; at-- > first;)
            if (zip.is(at, "PK\5\6") && zip.number(at + 20, 2) == zip.size() - at - kEndBytes) return at;
    }
    zip.fail("a ZIP archive with its directory at the end", "none");
}

Directory directory_of(const ZipBytes& zip) {
    const uint64_t end = end_record(zip);
    Directory found{zip.number(end + 10, 2), zip.number(end + 16, 4), zip.number(end + 12, 4)};
    const bool is_wide = found.entries == kNo16 || found.begin == kNo32 || found.size == kNo32;
    if (is_wide && end >= kLocatorBytes && zip.is(end - kLocatorBytes, "PK\6\7")) {
        const uint64_t record = zip.number(end - kLocatorBytes + 8, 8);
        zip.need(record, kEnd64Bytes, "a directory's record");
        if (!zip.is(record, "PK\6\6")) zip.fail("a ZIP64 record", "something else");
        found = {zip.number(record + 32, 8), zip.number(record + 48, 8), zip.number(record + 40, 8)};
    }
    zip.need(found.begin, found.size, "a directory");
    if (found.entries > found.size / kCentralBytes) zip.fail("a directory of all its entries", "a shorter one");
    return found;
}

struct CentralEntry {
    std::string name;
    uint64_t size = 0, header = 0;
};

// Numbers that do not go into 32 bits stand in an extra field, in this order: size, stored size, place.
void read_wide(const ZipBytes& zip, uint64_t extra, uint64_t length, uint64_t& size, uint64_t& stored, uint64_t& header) {
    for (uint64_t at = extra; at + 4 <= extra + length;) {
        const uint64_t kind = zip.number(at, 2), bytes = zip.number(at + 2, 2);
        uint64_t place = at + 4;
        const uint64_t end = std::min(place + bytes, extra + length);
        for (uint64_t* const value : {&size, &stored, &header}) {
            if (kind != 1 || *value != kNo32 || place + 8 > end) continue;
            *value = zip.number(place, 8);
            place += 8;
        }
        at += 4 + bytes;
    }
}

CentralEntry central_entry(const ZipBytes& zip, uint64_t at, uint64_t end, uint64_t& next) {
    if (end - at < kCentralBytes || !zip.is(at, "PK\1\2")) zip.fail("an entry of a ZIP directory", "something else");
    const uint64_t name = zip.number(at + 28, 2), extra = zip.number(at + 30, 2), comment = zip.number(at + 32, 2);
    if (end - at - kCentralBytes < name + extra + comment) zip.fail("a directory of all its entries", "a shorter one");
    next = at + kCentralBytes + name + extra + comment;
    CentralEntry entry{std::string(zip.text(at + kCentralBytes, name)), zip.number(at + 24, 4), zip.number(at + 42, 4)};
    const std::string shown = "entry '" + shortened(one_line(entry.name), 60) + "'";
    uint64_t stored = zip.number(at + 20, 4);
    read_wide(zip, at + kCentralBytes + name, extra, entry.size, stored, entry.header);
    if ((zip.number(at + 8, 2) & 1) != 0) zip.fail(shown + " as it is", "an encrypted one");
    if (zip.number(at + 10, 2) != 0 || stored != entry.size) zip.fail(shown + " as it is", "a compressed one");
    return entry;
}

void check_apart(const ZipBytes& zip, const std::map<std::string, ZipEntry>& entries) {
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (const auto& [name, entry] : entries)
        if (entry.end > entry.begin) ranges.emplace_back(entry.begin, entry.end);
    std::sort(ranges.begin(), ranges.end());
    for (size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].first < ranges[i - 1].second) zip.fail("entries that lie apart", "two in one place");
}

}  // namespace

std::map<std::string, ZipEntry> parse_stored_zip(std::string_view bytes, const std::string& file) {
    const ZipBytes zip(bytes, file);
    const Directory directory = directory_of(zip);
    std::map<std::string, ZipEntry> entries;
    uint64_t at = directory.begin;
    for (uint64_t i = 0; i < directory.entries; ++i) {
        const CentralEntry entry = central_entry(zip, at, directory.begin + directory.size, at);
        zip.need(entry.header, kLocalBytes, "an entry");
        if (!zip.is(entry.header, "PK\3\4")) zip.fail("an entry's header", "something else");
        const uint64_t begin =
            entry.header + kLocalBytes + zip.number(entry.header + 26, 2) + zip.number(entry.header + 28, 2);
        zip.need(begin, entry.size, "an entry");
        if (!entries.emplace(entry.name, ZipEntry{begin, begin + entry.size}).second)
            zip.fail("each entry once", "two called '" + shortened(one_line(entry.name), 60) + "'");
    }
    check_apart(zip, entries);
    return entries;
}

}  // namespace craft
