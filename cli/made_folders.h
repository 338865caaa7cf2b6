// The folders that this command made for its outputs: where it fails, those that are still empty go.
#pragma once

#include <filesystem>
#include <vector>

namespace craft {

std::vector<std::filesystem::path>& made_folders();

}  // namespace craft
