// Where the bytes of an output go: into a file of that name, or down a stream that somebody else opened or reads.
#pragma once

#include <filesystem>
#include <string>

namespace craft {

// "-", a device, a pipe, a socket, or an open descriptor of this process (/dev/stdout, /dev/fd/3, a shell's >(...)): it is
// written as it is, whatever comes after it, and nothing is kept beside it.
bool is_written_directly(const std::string& output);
// The open descriptor of this process that a path names, links followed; -1: it names none.
int own_descriptor(const std::filesystem::path& path);
// Where the links of a path's last part lead, also to a file that is not there yet. A path without links is given back; of
// links in a ring one of them.
std::filesystem::path link_target(std::filesystem::path path);

}  // namespace craft
