// Preference pairs in HDF5 files, beside TRL's JSON Lines: smaller, and read pair by pair from any place.
//   attributes   format, version, pairs (n)
//   pairs/       prompt, chosen, rejected, details, provenance: texts (data/text_column.h); kind: uint8 [n]
// Of kind 0 prompt and sides are strings, of kind 1 JSON lists of messages. `details` is what stands beside the messages
// (tools, documents, template variables) and `provenance` where the pair comes from, each a JSON object.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/pair.h"
#include "data/text_column.h"

namespace craft {

inline constexpr const char* kPairFormat = "craft-train pairs";
inline constexpr int64_t kPairVersion = 1;
inline constexpr uint64_t kMaxPairBytes = uint64_t{256} << 20;  // of one pair's texts; larger ones are refused

// What a file says that it holds: the attribute `format` of an HDF5 file, empty where it has none. Absent: no HDF5 file, or
// nothing that can be read twice (stdin, a pipe). Throws Error where the file is damaged.
std::optional<std::string> hdf5_format(const std::string& path);

// Pairs on their way into a file, held in memory.
class PairFileBuilder {
public:
    // Throws Error if its parts are not all strings or all messages, or its texts are over the limit; nothing is added then.
    void add(const Pair& pair);
    int64_t pairs() const { return static_cast<int64_t>(kinds_.size()); }
    // The bytes of the file: the same pairs give the same bytes. `name` is for messages, `compression` is deflate's, 0 to 9.
    std::string image(const std::string& name, unsigned compression = 4) const;

private:
    static constexpr size_t kTexts = 5;
    std::array<TextColumnBuilder, kTexts> texts_;
    std::vector<uint8_t> kinds_;
};

// Throws Error naming file and dataset on anything that does not fit; sizes are checked before memory is asked for, which is
// that of one pair at most.
class PairFileReader {
public:
    explicit PairFileReader(const std::filesystem::path& path);
    int64_t pairs() const { return pairs_; }
    // From 0. Reads as pair_from_json() does; keys that nobody reads are counted in `unknown` (may be null).
    Pair read(int64_t index, UnknownKeys* unknown = nullptr);
    std::string where(int64_t index) const;  // "FILE: pair 1" of the first

private:
    static constexpr size_t kTexts = 5;
    std::string name_;
    int64_t pairs_ = 0;
    std::array<TextColumn, kTexts> texts_;
    Hdf5Column<uint8_t> kinds_;
};

// Writes pairs as HDF5 where the name ends in ".h5", else as JSON Lines (`-`: stdout). The file appears at close(), whole.
class PairWriter {
public:
    explicit PairWriter(const std::string& path);
    void write(const Pair& pair);
    int64_t pairs() const { return written_; }
    void close();

private:
    std::string path_;
    std::unique_ptr<JsonLinesWriter> lines_;  // null: HDF5
    PairFileBuilder builder_;
    int64_t written_ = 0;
};

// Calls on_pair(pair, where) for each pair of a file of either kind, told apart by its first bytes; returns how many bad
// lines were skipped, of which HDF5 has none: there what is damaged ends the reading. Throws Error as for_each_row() does,
// and where the file has no pair.
int64_t for_each_pair(const std::string& path, const JsonLinesOptions& lines, UnknownKeys* unknown,
                      const std::function<void(const Pair&, const std::string&)>& on_pair);

}  // namespace craft
