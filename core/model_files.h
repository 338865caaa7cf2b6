// The files of models, which are folders or GGUF files: what a model is read from, what of a foreign folder may be copied,
// and folders that only name where a model lies.
#pragma once

#include <filesystem>
#include <vector>

#include "core/file_hash.h"

namespace craft {

// Whether a model is one file (NAME.gguf), or one in several parts, and no folder.
bool is_model_file(const std::filesystem::path& model);
// The parts of such a model, in order: of a name like NAME-00001-of-00003.gguf all of them, whichever was given, otherwise
// the file alone. Throws Error naming a part that is not there.
std::vector<std::filesystem::path> model_parts(const std::filesystem::path& file);

// What a model is read from, as paths within the folder, in order: configurations, tokenizers, templates, weights.
std::vector<std::filesystem::path> model_file_names(const std::filesystem::path& folder);

// The adapter's folder: `given`/adapter, as runs keep theirs, where that has an adapter_config.json and `given` has none;
// else `given`.
std::filesystem::path adapter_folder(const std::filesystem::path& given);
// Folders with an adapter, at most three levels below this one, by their names: runs of several stages keep one in each.
std::vector<std::filesystem::path> adapters_below(const std::filesystem::path& folder);

// folder / name, for what is copied as it is. Its bytes will be in a folder that is shown to others, so a link may lead only
// to a file of the same folder or, in the Hugging Face cache (.../snapshots/REVISION), to one of .../blobs: a folder that
// somebody made could else name any file of this user's. Throws Error for other links.
std::filesystem::path own_file(const std::filesystem::path& folder, const std::filesystem::path& name);
// Throws Error, before any work, if what is copied of this model later (all but weights) is not own_file().
void check_own_files(const std::filesystem::path& model);

// A run keeps no copy of the model that a user gives it, but a folder that can be given in its place:
//   model_reference.json  {"format", "version", "model": where it lies, "hash": of the names and bytes of its files,
//                         "files": FileHashes::records()}
//   chat_template.jinja   perhaps; in place of the model's templates
inline constexpr const char* kModelReference = "model_reference.json";

// Writes such a folder's reference to `model`, which is followed if it is one itself. `known` spares reading what it has
// records of. Throws Error if the model cannot be read.
void write_model_reference(const std::filesystem::path& model, const std::filesystem::path& folder, FileHashes known = {});
// The model's folder or file: `given`, or the one that its reference names. Throws Error if that has gone, or holds
// other files than those that the reference was made of. Cheap where they stayed as they were. May be called by any thread.
std::filesystem::path located_model(const std::filesystem::path& given);

}  // namespace craft
