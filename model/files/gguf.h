// The GGUF format of ggml and llama.cpp, versions 2 and 3: metadata under keys, a table of tensors, their bytes. A model may
// be split into several files (NAME-00001-of-00003.gguf ...).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/files/gguf_header.h"
#include "model/files/mapped_file.h"

namespace craft {

// The header is checked when the file is opened, before memory is taken for anything that it says (read_gguf_header).
class GgufFile {
public:
    // Of a split model any part may be given; all must lie in the same folder. Throws Error naming the file, and the key or
    // tensor where one is to blame: not GGUF, another version, big-endian, truncated, a part that is missing, a type that
    // is not known, adapters and projectors.
    explicit GgufFile(const std::filesystem::path& path);

    std::string path() const { return parts_.front().path().string(); }
    // All throw Error naming file and key on a value of another kind. Numbers may have any integral type.
    std::optional<int64_t> integer(const std::string& key) const;
    // The shortest decimal number that reads as the file's float32: 1e-05, not 9.99999974e-06.
    std::optional<double> number(const std::string& key) const;
    std::optional<bool> flag(const std::string& key) const;
    std::optional<std::string_view> text(const std::string& key) const;
    std::optional<std::vector<int64_t>> integers(const std::string& key) const;  // of a list
    std::optional<std::vector<float>> floats(const std::string& key) const;
    std::optional<std::vector<std::string_view>> texts(const std::string& key) const;
    // Those that must be there.
    int64_t required_integer(const std::string& key) const;
    std::string required_text(const std::string& key) const;

    const std::map<std::string, GgufValue>& metadata() const { return metadata_; }
    const std::map<std::string, GgufTensor>& tensors() const { return tensors_; }
    const GgufTensor* find(const std::string& tensor) const;  // nullptr: none of that name
    std::string_view bytes(const GgufTensor& tensor) const;
    const MappedFile& file(const GgufTensor& tensor) const { return parts_[tensor.part]; }
    std::string place_of(const std::string& tensor) const;  // "FILE: tensor 'NAME'"
    [[noreturn]] void fail(const std::string& key, const std::string& expected, const std::string& hint = "") const;

private:
    void read_part(const std::filesystem::path& path, size_t part);
    void expect_model() const;
    const GgufValue* value(const std::string& key) const;

    std::vector<MappedFile> parts_;
    std::map<std::string, GgufValue> metadata_;  // of the first part; the others only say which one they are
    std::map<std::string, GgufTensor> tensors_;  // of all
};

}  // namespace craft
