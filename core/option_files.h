// The files that a command reads and writes, by the marks of its options (FileRole): what is there is not lost by a slip of
// the keyboard. Devices, pipes and sockets hold nothing, so that all of this leaves them alone.
#pragma once

#include <filesystem>
#include <string>

#include "core/options.h"

namespace craft {

// What is kept beside an output until it is complete, and what says how it was made.
std::filesystem::path partial_path(const std::filesystem::path& output);
std::filesystem::path manifest_path(const std::filesystem::path& output);

// Whether the command writes files that exist by --overwrite alone.
bool has_outputs(const OptionTable& table);

// Adds a problem for each output that
// - is a file which an input or --config names, through links too: reading would be cut short by writing; or is one that
//   is there within a folder that is read, or looked after (a model, an adapter, a cache of answers);
// - is another output of the command, or is written beside one;
// - exists, unless `overwrite`, or unless rows of a resumed output are there to be continued;
// - cannot be written: a folder where a file is expected (and the other way round), a parent that is no folder or is
//   read-only.
// The last two are not looked at where a rehearsal() flag is given. Also adds a problem if several inputs are stdin, which
// can be read once.
void check_files(OptionTable& table, bool overwrite);

// Creates the folders that outputs lie in. Throws UsageError naming the option.
void make_output_folders(const OptionTable& table);

}  // namespace craft
