// The files that a command reads and writes, by the marks of its options (FileRole): what is there is not lost by a slip of
// the keyboard. Devices, pipes and sockets hold nothing, so that all of this leaves them alone.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/options.h"

namespace craft {

// The rows that are kept beside an output until it is complete, what says how it was made, and the same of a run that has
// not finished.
std::filesystem::path partial_path(const std::filesystem::path& output);
std::filesystem::path manifest_path(const std::filesystem::path& output);
std::filesystem::path unfinished_manifest_path(const std::filesystem::path& output);

// Whether the file holds rows that a command of ours kept.
bool are_own_rows(const std::filesystem::path& file);

// Whether the command writes files that exist by --overwrite alone.
bool has_outputs(const OptionTable& table);

// The files and folders that the options say are read, each once: those by whose content two runs are the same.
std::vector<std::filesystem::path> input_files(const OptionTable& table);

// Adds a problem for each output that
// - is a file which an input or --config names, through links too: reading would be cut short by writing; or is one that
//   is there within a folder that is read, or looked after (a model, an adapter, a cache of answers);
// - is another output of the command, or is written beside one;
// - exists, unless `overwrite`, or unless rows of a resumed output are there to be continued;
// - has another program's file where its rows are kept or its manifest is written, even with `overwrite`;
// - cannot be written: a folder where a file is expected (and the other way round), a parent that is no folder or is
//   read-only, a link into a folder that is not there.
// The last three are not looked at where a rehearsal() flag is given. Also adds a problem if several inputs are stdin, which
// can be read once.
void check_files(OptionTable& table, bool overwrite);

// Creates the folders that outputs lie in, and adds those that were not there to `made`. Throws UsageError naming the
// option.
void make_output_folders(const OptionTable& table, std::vector<std::filesystem::path>& made);
// Those of `made` that nothing was written to.
void remove_empty_folders(std::vector<std::filesystem::path> made);

}  // namespace craft
