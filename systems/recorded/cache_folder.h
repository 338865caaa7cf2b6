// The folder of a cache: prompts and answers are nobody's but its owner's.
#pragma once

#include <chrono>
#include <filesystem>

#include "core/database/database.h"

namespace craft {

constexpr const char* kAnswersFile = "answers.sqlite";
constexpr int64_t kAnswersSchema = 2;

// Makes the folder (0700) and an empty database in it (0600; SQLite gives -wal and -shm the same) where they are missing,
// and takes the rights of others away where they have some. Returns the database's path. Throws Error if `folder` is a file,
// holds other things and no cache, or cannot be made.
std::filesystem::path prepare_cache_folder(const std::filesystem::path& folder);
// As prepare_schema() of core/database/schema.h.
void prepare_answers(Database& database, std::chrono::milliseconds busy);

}  // namespace craft
