#include <algorithm>

#include "core/error.h"
#include "english/dictionary/compressed_file.h"
#include "english/dictionary/table_difficulty.h"
#include "english/msgpack.h"

namespace craft {

namespace {

constexpr size_t kLargestList = size_t{64} << 20;
constexpr double kEasyZipf = 7, kHardZipf = 1;  // on the scale of WordDifficulty: 0 and 1
constexpr size_t kMaxCentibels = 2000;

// Words that are met in 10^(-cb / 100) of all places stand in list cb after the header, each list by the alphabet.
WordTable read_counts(const MsgpackValue& file, const std::string& where) {
    const MsgpackValue* format = file.items.empty() ? nullptr : file.items[0].find("format");
    const MsgpackValue* version = file.items.empty() ? nullptr : file.items[0].find("version");
    if (!file.is_array() || format == nullptr || !format->is_text() || format->text != "cB" || version == nullptr ||
        !version->is_natural() || version->integer != 1)
        throw Error(where, "a frequency list of wordfreq's ('format': 'cB', 'version': 1)", "none");
    if (file.items.size() > kMaxCentibels)
        throw Error(where, "frequencies of at most " + std::to_string(kMaxCentibels) + " centibels", "more");
    WordTable table;
    for (size_t centibels = 1; centibels < file.items.size(); ++centibels) {
        const std::string place = where + ": list " + std::to_string(centibels);
        if (!file.items[centibels].is_array()) throw Error(place, "a list of words", "another value");
        for (const MsgpackValue& word : file.items[centibels].items) {
            if (!word.is_text()) throw Error(place, "words", "another value");
            table.add(word.text, static_cast<uint16_t>(centibels - 1));
        }
    }
    if (table.size() == 0) throw Error(where, "words", "none");
    return table;
}

// The frequency 10^(-cb / 100) is 9 - cb / 100 on the Zipf scale.
double difficulty_of_count(uint16_t centibels) {
    const double zipf = 9 - centibels / 100.0;
    return std::clamp((kEasyZipf - zipf) / (kEasyZipf - kHardZipf), 0.0, 0.99);
}

}  // namespace

std::unique_ptr<WordDifficulty> count_difficulty_of(std::string_view bytes, const std::string& where) {
    const std::string list = decompressed(bytes, kLargestList, where);
    return std::make_unique<TableDifficulty>("counts", read_counts(parse_msgpack(list, where), where), difficulty_of_count);
}

std::unique_ptr<WordDifficulty> count_difficulty(const std::filesystem::path& file) {
    return count_difficulty_of(read_compressed_file(file, kLargestList), file.string());
}

}  // namespace craft
