// What a path is and holds, for `inspect`.
#pragma once

#include <filesystem>

#include "core/json.h"

namespace craft {

// {"path", "kind", ...}: a model, an adapter, a trajectory store, a run, a tokenizer, a cache of answers, or a file of them.
// Weights are not read. Throws Error naming what is damaged, or if the path is nothing of ours.
Json inspect_path(const std::filesystem::path& path);
// Parts of it.
Json inspect_model(const std::filesystem::path& model);  // a folder or a GGUF file
Json inspect_store(const std::filesystem::path& folder);
Json inspect_run(const std::filesystem::path& folder);
Json inspect_answers(const std::filesystem::path& folder);  // counts of a cache of recorded answers
Json inspect_file(const std::filesystem::path& file);
Json inspect_tokenizer(const std::filesystem::path& folder);  // with the chat template, if there is one

}  // namespace craft
