// A file that appears under its name when it is whole. Until then it has none, where the file system knows files without one
// (O_TMPFILE), so that a process that is killed leaves nothing behind; elsewhere (NFS, older kernels) it is
// temporary_name().
#pragma once

#include <filesystem>

namespace craft {

// A descriptor for writing what publish_new_file() will give this path, or -1 with errno.
int open_new_file(const std::filesystem::path& path);
// On disk and under its name, in place of what had it. The descriptor stays open. Throws Error with the path and the
// system's reason, and then nothing is left under a temporary name.
void publish_new_file(int descriptor, const std::filesystem::path& path);
// Closes one that was not published, which is then gone.
void discard_new_file(int descriptor, const std::filesystem::path& path);

}  // namespace craft
