// The manifest of a run folder: what it holds at the start, and whether two of them are of the same run.
#pragma once

#include <filesystem>
#include <optional>

#include "core/file_hash.h"
#include "core/json.h"
#include "core/run_folder.h"

namespace craft {

constexpr const char* kProgramName = "craft-train";
constexpr const char* kManifestFile = "manifest.json";
// In RunIdentity::options, {this: value} is a value that may name files, which count by what they hold.
constexpr const char* kContentOf = "content_of";

// The manifest in `folder`; none if there is no file or it is not of this program. Throws Error on broken JSON or another
// format version.
std::optional<Json> read_manifest(const std::filesystem::path& folder);
// The hashes of large inputs that the manifest in `folder` remembers; none without a manifest.
FileHashes remembered_hashes(const std::filesystem::path& folder);
// That of a new run in `folder`; reads the inputs for their hashes, after make_rereadable() (the run itself, where it lies
// in one, is no part of it), but for those files that the manifest which is there remembers.
Json new_manifest(const RunIdentity& identity, const std::filesystem::path& folder);

// One thing in which a run is not the same as an earlier one: an option, a fact or an input, with both values for people.
struct RunDifference {
    std::string what, before, now;
};
// The first difference of two manifests, of which "identity", "compared" and "data_hashes" are read; none: they are of the
// same run.
std::optional<RunDifference> run_difference(const Json& before, const Json& now);
// Throws Error naming it, where `before` is the run in the folder.
void check_same_run(const std::filesystem::path& folder, const Json& before, const Json& now);

}  // namespace craft
