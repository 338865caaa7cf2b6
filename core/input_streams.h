// Inputs that can be read only once: stdin (`-`) and the pipes that a shell names /dev/fd/N.
#pragma once

#include <filesystem>

namespace craft {

// Whether a path names such an input, or another file by its descriptor.
bool is_stream(const std::filesystem::path& input);

// Reads such an input to its end into an unnamed temporary file, which takes its place. From then on `-`, or the pipe's
// name, can be opened again and again, each time from its beginning: a run hashes its inputs, checks them and reads them.
// Other paths are left as they are. Throws Error if the input cannot be read, if the folder for temporary files ($TMPDIR)
// has no room, or if the input is a named pipe, whose place no other open file can take. Throws Stopped on a signal.
void make_rereadable(const std::filesystem::path& input);
// Opens stdin, from its beginning where make_rereadable() saw it. -1 and errno on failure. What is returned is the caller's,
// but for STDIN_FILENO.
int open_stdin();

}  // namespace craft
