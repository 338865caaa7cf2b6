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

// The manifest in `folder`; none if there is no file or it is not of this program. Throws Error on broken JSON or another
// format version.
std::optional<Json> read_manifest(const std::filesystem::path& folder);
// The hashes of large inputs that the manifest in `folder` remembers; none without a manifest.
FileHashes remembered_hashes(const std::filesystem::path& folder);
// That of a new run in `folder`; reads the inputs for their hashes, after make_rereadable() (the run itself, where it lies
// in one, is no part of it), but for those files that the manifest which is there remembers.
Json new_manifest(const RunIdentity& identity, const std::filesystem::path& folder);
// Throws Error if `before`, the run in the folder, is not the same as `now`; it names the first difference.
void check_same_run(const std::filesystem::path& folder, const Json& before, const Json& now, const RunIdentity& identity);

}  // namespace craft
