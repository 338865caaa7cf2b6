// Files that are whole or absent: temporary name, fsync, rename.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace craft {

// Throws Error with the path and the system's reason.
std::string read_file(const std::filesystem::path& path);
void write_file_atomic(const std::filesystem::path& path, std::string_view bytes);
void copy_file_atomic(const std::filesystem::path& from, const std::filesystem::path& to);
// Writes to stdout at once; throws Error when it cannot (a closed pipe, a full disk).
void write_stdout(std::string_view bytes);
// fsyncs `temporary`, renames it to `path`, fsyncs the folder. On failure the temporary is removed.
void publish_file(const std::filesystem::path& temporary, const std::filesystem::path& path);
// Opens a file that was not there before, for writing; what an interrupted process left under that name is removed first,
// and a link that somebody put there is not followed. Returns a descriptor, or -1 with errno.
int create_new_file(const std::filesystem::path& path);
// The temporary name that publish_file expects beside `path`.
std::filesystem::path temporary_name(const std::filesystem::path& path);
// Creates the folder and checks that it can be written to; throws Error otherwise.
void ensure_folder(const std::filesystem::path& path);
// "xxh64:..." of a file's bytes, for manifests. Of a folder: of the names and bytes of all files in it, but for those in the
// folder `without`.
std::string file_hash(const std::filesystem::path& path, const std::filesystem::path& without = {});

// The folder of the files that ship with the program (texts, wordings, prompts, base model): $CRAFT_SHARE, else
// ../share/craft-train beside the executable's folder, else the source tree's share/. Throws Error if none is there.
std::filesystem::path share_folder();

// A file written piece by piece that appears under its name, whole, at close(). Destroyed without close() (an exception)
// it removes what it wrote and an older file stays as it was. `-` is stdout; a device or pipe is written to directly.
// Every function throws Error with the path and the system's reason.
class OutputFile {
public:
    explicit OutputFile(const std::string& path);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;
    void write(std::string_view bytes);
    void flush();
    void close();

private:
    std::string name_;                 // for messages
    std::filesystem::path path_;       // with links followed, so that a link stays one
    std::filesystem::path temporary_;  // empty: written directly
    std::string buffer_;
    int fd_ = -1;
};

}  // namespace craft
