// Where models and tables lie that scripts/setup.sh gets.
#pragma once

#include <filesystem>

namespace craft {

// weights/NAME below the current folder if it is there, else weights/NAME beside the folder of shipped files if it is there,
// else the first of the two, for messages. `probe` is a file within NAME that must be there; empty: NAME itself.
std::filesystem::path weights_place(const std::filesystem::path& name, const std::filesystem::path& probe = {});

}  // namespace craft
