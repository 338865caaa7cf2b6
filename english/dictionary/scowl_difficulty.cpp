#include <charconv>

#include "core/error.h"
#include "core/files.h"
#include "english/dictionary/sources.h"
#include "english/dictionary/table_difficulty.h"
#include "text/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kVarieties[] = {"english", "american", "british", "british_z"};
constexpr uint16_t kLargestUpper = 40;
constexpr uintmax_t kLargestScowlList = uintmax_t{64} << 20;

// The size class of a list that is read, by its file's name; 0: it is none.
uint16_t size_class(std::string_view name) {
    const size_t dash = name.find('-'), dot = name.rfind('.');
    if (dash == std::string_view::npos || dot == std::string_view::npos || dot < dash) return 0;
    const std::string_view variety = name.substr(0, dash), kind = name.substr(dash + 1, dot - dash - 1);
    if (std::find(std::begin(kVarieties), std::end(kVarieties), variety) == std::end(kVarieties)) return 0;
    uint16_t size = 0;
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + dot + 1, end, size);
    if (read.ec != std::errc() || read.ptr != end || size > 99) return 0;
    if (kind == "words" || kind == "contractions") return size;
    return kind == "upper" && size <= kLargestUpper ? size : 0;
}

// SCOWL's own files are in Latin-1, Debian's in UTF-8.
std::string in_utf8(std::string_view bytes) {
    if (invalid_utf8_at(bytes) == std::string_view::npos) return std::string(bytes);
    std::string text;
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            text += c;
        } else {
            text += static_cast<char>(0xC0 | byte >> 6);
            text += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return text;
}

void add_list(const fs::path& file, uint16_t size, WordTable& table) {
    std::error_code none;
    if (fs::file_size(file, none) > kLargestScowlList)
        throw Error(file.string(), "a list of words of at most 64 MB", "a larger one");
    const std::string text = in_utf8(read_file(file));
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        table.add(lowercase(trim_view(std::string_view(text).substr(at, end - at))), size);
        at = end + 1;
    }
}

}  // namespace

std::unique_ptr<WordDifficulty> scowl_difficulty(const fs::path& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw Error(folder.string(), "the word lists of scowl", "no such folder", kHowToGetEnglish);
    WordTable table;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const uint16_t size = size_class(entry.path().filename().string())) add_list(entry.path(), size, table);
    if (table.size() == 0)
        throw Error(folder.string(), "the word lists of scowl (english-words.10, ...)", "none", kHowToGetEnglish);
    return std::make_unique<TableDifficulty>("scowl", std::move(table), [](uint16_t size) { return size / 100.0; });
}

}  // namespace craft
