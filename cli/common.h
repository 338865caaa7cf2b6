// What all commands share: their common options, how a command line becomes an option table, and opening a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"
#include "core/json.h"
#include "core/log.h"
#include "core/options.h"
#include "core/run_folder.h"
#include "core/unknown_keys.h"
#include "model/kernels/placement.h"
#include "text/sentences.h"
#include "train/parallel/process_group.h"

namespace craft {

struct CommonOptions : PlacementOptions {
    uint64_t seed = 1;
    bool quiet = false, verbose = false;
    LogFormat log_format = LogFormat::text;
    std::filesystem::path out;              // of commands that write a run folder
    bool overwrite = false;                 // what is there may be replaced
    GroupOptions group;                     // of commands that run in several ranks
    std::vector<std::string> command_line;  // as given, for the manifest
};

// The options of every command; parse_command adds them by itself.
void bind_common(OptionTable& table, CommonOptions& options);
// --out and --overwrite, of commands that write a run folder. --out is required, but with the flag of the key `rehearsal`,
// with which nothing is written; empty: there is none.
void bind_run(OptionTable& table, CommonOptions& options, const std::string& rehearsal = "");
// --overwrite alone, for a command with rules of its own; parse_command adds it where there are outputs.
void bind_overwrite(OptionTable& table, CommonOptions& options, const std::string& help);
// --skip-bad-lines, of commands that read JSON Lines.
void bind_json_lines(OptionTable& table, JsonLinesOptions& options);
// A model: a folder, a GGUF file, or a name of the Hugging Face cache (core/model_cache.h), for which the target then holds
// where it lies. `note` is added to the help and may be empty.
Option& bind_model(OptionTable& table, const std::string& key, std::filesystem::path& model, const std::string& note = "");
// --model, which the command works with.
void bind_own_model(OptionTable& table, std::filesystem::path& model, const std::string& note = "");
// A list of domains (C0-C4), by number; one that stands in it twice comes twice as often.
Option& bind_domains(OptionTable& table, const std::string& key, std::vector<int>& domains, const std::string& help);
// Shares of the eight sub-types of constraints; add_mix_problem() says what is wrong with them for these domains.
Option& bind_mix(OptionTable& table, const std::string& key, std::vector<double>& mix);
void add_mix_problem(OptionTable& table, const std::string& key, const std::vector<double>& mix,
                     const std::vector<int>& domains);
// How texts are cut into sentences.
void bind_sentences(OptionTable& table, SentenceRule& rule);
// What the values of an option say that names systems and their files, NAME=FILE; adds a problem for each of another form
// and for a name that is there before. The files are what the option reads.
std::vector<std::pair<std::string, std::string>> named_files(OptionTable& table, const std::string& key,
                                                             const std::vector<std::string>& written);
// A result for --output: a file, or stdout where it is "-".
void write_result(const std::string& output, const Json& result);

// Fills the targets of `table` from defaults < --config FILE < --set a.b=c < flags, sets up logging, and returns true; or
// returns false after it has printed --help or --dump-config. `check` may add problems that concern several options.
// Throws UsageError with all problems of the command line and the configuration files.
bool parse_command(const Command& command, OptionTable& table, CommonOptions& options, int argc, const char* const* argv,
                   const std::function<void(OptionTable&)>& check = nullptr);

// What COMMAND --help prints, in lines of at most 100 characters: options by group with their defaults and conditions and,
// last, an example. `page`: one of the command's pages; null: all there is, or of a command with pages what they are.
std::string command_help(const Command& command, const OptionTable& table, const HelpPage* page = nullptr);

// Into the manifest's "unknown_keys"; nothing if there are none.
void note_unknown_keys(RunFolder& run, const UnknownKeys& keys);

// What makes two runs of the command the same, as its options say it; what they read (input_files()) is hashed when a run is
// opened.
RunIdentity identity_of(const Command& command, const OptionTable& table, const CommonOptions& options);
// The same. Throws Error where the models that are read do not fit into memory.
RunIdentity run_identity(const Command& command, const OptionTable& table, const CommonOptions& options);
// What makes two commands the same whose rows are kept: run_identity() where --dtype is what it came to in `place`. With
// `by_parts` some of the work is in_bfloat16_where_fast(); auto is then no other value's equal where that makes a
// difference. To be called before the inputs are read: what comes from a pipe is then kept, for its hash and for the work.
RunIdentity rows_identity(const Command& command, const OptionTable& table, const CommonOptions& options,
                          const Placement& place, bool by_parts = false);
// Opens --out for this command; says so when a run resumes or is finished already (RunFolder::finished()). Throws UsageError
// before the folder is touched if --device does not work here.
RunFolder open_run(const Command& command, const OptionTable& table, const CommonOptions& options);
// The same by several ranks: rank 0's folder, which the others only follow.
RunFolder open_run(const Command& command, const OptionTable& table, const CommonOptions& options, ProcessGroup& group);

}  // namespace craft
