// Line i of a file of sources and of files of references belong together: JFLEG, ASSET and TurkCorpus as their authors
// publish them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eval/editeval/records.h"

namespace craft {

// Items "PREFIX-0", "PREFIX-1" ... of the lines, which are stripped at both ends. Throws Error where a file has another
// number of lines than the sources have, and as read_text_lines() does.
void read_parallel_text(const std::filesystem::path& sources, const std::vector<std::filesystem::path>& references,
                        const std::string& prefix, EditItems& into);

}  // namespace craft
