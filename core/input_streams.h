// Inputs that can be read only once: stdin (`-`) and the pipes that a shell names /dev/fd/N.
#pragma once

#include <filesystem>

namespace craft {

// Whether a path names such an input, or another file by its descriptor.
bool is_stream(const std::filesystem::path& input);

// Has what comes from such an input, to its end, in an unnamed temporary file in its place: from then on `-`, or the pipe's
// name, can be opened again and again, each time from its beginning (a run hashes its inputs, checks them and reads them).
// Leaves other paths as they are. Throws Error if it cannot be read, if there is no room in the folder for temporary files
// ($TMPDIR) or if it is a pipe with a name of its own, which no one else's open file can take the place of; Stopped.
void make_rereadable(const std::filesystem::path& input);
// Opens stdin, from its beginning where make_rereadable() saw it. -1 and errno on failure. What is returned is the caller's,
// but for STDIN_FILENO.
int open_stdin();

}  // namespace craft
