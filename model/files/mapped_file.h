// A file that the system maps into memory: its bytes come from the disk when they are first read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace craft {

class MappedFile {
public:
    // `kind` ("a safetensors file") is what errors say was expected. Throws Error naming the file: unreadable, or no plain
    // file.
    MappedFile(const std::filesystem::path& path, const std::string& kind);

    const std::filesystem::path& path() const { return path_; }
    // All of them, to be read only; valid as long as this object or a copy of it.
    std::string_view bytes() const { return {map_.get(), size_}; }

    // The others are about bytes [begin, end) of the file.
    // Tells the system that they are read soon: the disk begins.
    void will_need(uint64_t begin, uint64_t end) const;
    // Gives their pages back: what was read does not count as this process's memory any more. Not of bytes that are
    // private_pages(): what was written there would be lost.
    void release(uint64_t begin, uint64_t end) const;
    // A pointer to the first of them, which keeps the whole file mapped. They are read from the disk here and may be written
    // to: a page that is written to becomes this process's own, and the file never changes. Throws Error if the disk does
    // not give them.
    std::shared_ptr<char> private_pages(uint64_t begin, uint64_t end) const;

private:
    std::filesystem::path path_;
    std::shared_ptr<char> map_;  // null of an empty file
    size_t size_ = 0;
};

}  // namespace craft
